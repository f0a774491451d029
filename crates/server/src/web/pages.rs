//! The pages: built from `web/` and carried in the program.

use axum::{
    extract::Path,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/pages/site"]
struct Site;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'none'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Every page is the same file; what it shows follows from its address.
pub async fn page() -> Response {
    match Site::get("index.html") {
        Some(file) => respond("text/html; charset=utf-8", "no-cache", &file),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What the page is made of. The names change with the contents.
pub async fn asset(Path(path): Path<String>) -> Response {
    let path = format!("assets/{path}");
    match Site::get(&path) {
        Some(file) => respond(kind(&path), "public, max-age=31536000, immutable", &file),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What lies beside the page, like its icon.
pub async fn beside(Path(path): Path<String>) -> Response {
    match Site::get(&path).filter(|_| path != "index.html") {
        Some(file) => respond(kind(&path), "public, max-age=86400", &file),
        None => (StatusCode::NOT_FOUND, "There is no such page here.\n").into_response(),
    }
}

fn respond(kind: &'static str, cache: &'static str, file: &rust_embed::EmbeddedFile) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, cache),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (headers, file.data.to_vec()).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest" | "json") => "application/json",
        _ => "application/octet-stream",
    }
}
