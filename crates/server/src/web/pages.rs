//! The pages: built from `web/` and carried in the program, packed as browsers like them.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use rules::{Rules, league::League};
use rust_embed::RustEmbed;

use super::{Web, api::handle};
use crate::hall::FindError;

#[derive(RustEmbed)]
#[folder = "pages/site"]
#[allow_missing = true]
struct Site;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'none'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// How files are packed at build, the best first, and what their names end in.
const PACKED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];
/// Instead of every page, in a program that was built without them.
const NOT_BUILT: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>agon</title>\n\
    <p>This agon was built without its pages. Run <code>make pages</code>, then build it again.</p>\n";
const FOREVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";

pub async fn home(headers: HeaderMap) -> Response {
    page("home", StatusCode::OK, &headers)
}

pub async fn connect(headers: HeaderMap) -> Response {
    page("connect", StatusCode::OK, &headers)
}

/// The page of one game, wherever it was asked for.
pub async fn game(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let asked = uri.path().split('/').nth(1).unwrap_or_default();
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let Ok(handle) = handle(&id) else {
        return named_league(&web, asked, (&id, &query), &headers).await;
    };
    let kind = match web.hall.glance(handle.game).await {
        Ok(game) => game.kind().name,
        Err(FindError::NoSuchGame(_)) => return page(asked, StatusCode::NOT_FOUND, &headers),
        // The page will say that the server has trouble, and try again.
        Err(_) => return page(asked, StatusCode::OK, &headers),
    };
    match web.showings.place(kind) {
        Some(place) if place == asked => page(web.showings.page(kind), StatusCode::OK, &headers),
        Some(place) => {
            // As it was read: what was written may be nothing for a header.
            Redirect::temporary(&format!("/{place}/{}{query}", handle.game)).into_response()
        }
        None => page("lost", StatusCode::NOT_FOUND, &headers),
    }
}

/// People know leagues by their names.
async fn named_league(
    web: &Web,
    asked: &str,
    (name, query): (&str, &str),
    headers: &HeaderMap,
) -> Response {
    if asked != League::KIND {
        return page(asked, StatusCode::NOT_FOUND, headers);
    }
    let as_written = web.leagues.find(Some(name)).await;
    let found = match as_written {
        Err(_) => web.leagues.find(Some(&name.to_lowercase())).await,
        found => found,
    };
    match found {
        Ok(league) => {
            Redirect::temporary(&format!("/league/{}{query}", league.id())).into_response()
        }
        Err(_) => page(asked, StatusCode::NOT_FOUND, headers),
    }
}

/// Scripts, styles and pictures of the pages. The names change with the contents.
pub async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&format!("assets/{path}"), StatusCode::OK, FOREVER, &headers)
        .unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

/// Any other address: a file beside the pages, the list of a kind, a slash too many, or nothing.
pub async fn elsewhere(State(web): State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_matches('/');
    if uri.path().ends_with('/') && !path.is_empty() {
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        return Redirect::permanent(&format!("/{path}{query}")).into_response();
    }
    let mut kinds = web.showings.kinds().map(|kind| kind.name).chain([League::KIND]);
    if let Some(kind) = kinds.find(|kind| web.showings.place(kind) == Some(path)) {
        return Redirect::temporary(&format!("/?kind={kind}")).into_response();
    }
    let beside = file(path, StatusCode::OK, A_DAY, &headers).filter(|_| !path.contains('/'));
    beside.unwrap_or_else(|| lost(&headers))
}

/// Programs that look for something here are not sent a page.
fn lost(headers: &HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok());
    if accepts.is_some_and(|accepts| accepts.contains("text/html")) {
        page("lost", StatusCode::NOT_FOUND, headers)
    } else {
        (StatusCode::NOT_FOUND, "There is no such page here.\n").into_response()
    }
}

fn page(name: &str, status: StatusCode, headers: &HeaderMap) -> Response {
    file(&format!("pages/{name}.html"), status, "no-cache", headers)
        .unwrap_or_else(|| (StatusCode::SERVICE_UNAVAILABLE, Html(NOT_BUILT)).into_response())
}

fn file(
    path: &str,
    status: StatusCode,
    cache: &'static str,
    asked: &HeaderMap,
) -> Option<Response> {
    let packed = PACKED.into_iter().filter(|(coding, _)| accepts(asked, coding));
    let mut packed = packed.filter_map(|(coding, end)| Some((coding, embedded(path, end)?)));
    let (coding, file) = match packed.next() {
        Some((coding, file)) => (Some(coding), file),
        None => (None, embedded(path, "")?),
    };
    let headers = [
        (header::CONTENT_TYPE, kind(path)),
        (header::CACHE_CONTROL, cache),
        (header::VARY, "accept-encoding"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    let mut response = (status, headers, file.data).into_response();
    if let Some(coding) = coding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    Some(response)
}

fn embedded(path: &str, end: &str) -> Option<rust_embed::EmbeddedFile> {
    Site::get(&format!("{path}{end}"))
}

/// Whether whoever asks can unpack that.
fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let listed = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|v| v.to_str().ok());
    listed.flat_map(|list| list.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(coding) && weight != Some(0.)
    })
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest" | "json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_without_its_pages_answers_with_a_page_that_says_how_to_build_them() {
        let answer = page("a page that was never built", StatusCode::OK, &HeaderMap::new());
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        let said = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
        assert!(String::from_utf8_lossy(&said).contains("<code>make pages</code>"));
    }
}
