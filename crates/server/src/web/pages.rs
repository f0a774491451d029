//! Plain pages for people: what is being played, and one game.

use std::{fmt::Write, sync::Arc};

use axum::{
    extract::{Path, State},
    http::{HeaderName, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use rules::chess::{BLACK, Chess, WHITE, glyph, name};
use shakmaty::{Color, File, Piece, Rank, Square};

use super::api;
use crate::{
    hall::{FindError, Hall, Handle, Look, describe},
    store::Millis,
};

const STYLE: &str = "
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 0 auto; padding: 1rem; }
table.games { border-collapse: collapse; width: 100%; }
table.games th, table.games td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid #8886; }
table.board { border-collapse: collapse; }
table.board td { width: min(3rem, 11vw); height: min(3rem, 11vw); text-align: center; font-size: min(2.1rem, 8vw); line-height: 1; color: #000; }
td.white { color: #fff !important; -webkit-text-stroke: 1px #222; paint-order: stroke fill; }
td.light { background: #f0d9b5; } td.dark { background: #b58863; }
code { background: #8882; padding: 0 .3em; border-radius: 3px; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
";

pub async fn dashboard(State(hall): State<Arc<Hall>>) -> Response {
    let games = match api::list(&hall, Millis::MAX, 50).await {
        Ok(games) => games,
        Err(error) => {
            tracing::error!(%error, "the store does not answer");
            return trouble(
                StatusCode::SERVICE_UNAVAILABLE,
                "The games cannot be read now. Try again.",
            );
        }
    };
    let mut body = "<h1>agon</h1>".to_owned();
    if games.is_empty() {
        body.push_str(
            "<p>No games yet. Connect an MCP client to <code>/mcp</code> on this address and ask it \
             to play chess: it calls <code>createGame</code>, and the game appears here.</p>",
        );
        return page("agon", &body, true);
    }
    body.push_str("<div class=\"scroll\"><table class=\"games\"><tr><th>Game<th>White<th>Black<th>Moves<th>State");
    for game in games {
        let state = match (&game.result, game.free_seat) {
            (Some(result), _) => result.clone(),
            (None, true) => format!("waits for a player; join prompt: Join game {}", game.game_id),
            (None, false) => format!("{} to move", game.to_move),
        };
        let _ = write!(
            body,
            "<tr><td><a href=\"/game/{id}\">{id}</a><td>{}<td>{}<td>{}<td>{}",
            escape(&game.white),
            escape(&game.black),
            game.moves,
            escape(&state),
            id = game.game_id,
        );
    }
    body.push_str("</table></div>");
    page("agon", &body, true)
}

pub async fn game(State(hall): State<Arc<Hall>>, Path(id): Path<String>) -> Response {
    let handle: Handle = match id.parse() {
        Ok(handle) => handle,
        Err(error) => return trouble(StatusCode::NOT_FOUND, &format!("Error: {error}.")),
    };
    match api::look(&hall, handle.game).await {
        Ok(Some(look)) => show(&look),
        Ok(None) | Err(FindError::NoSuchGame(_)) => {
            trouble(StatusCode::NOT_FOUND, "There is no such game here.")
        }
        Err(error) => {
            tracing::error!(%error, "a game cannot be shown");
            trouble(StatusCode::SERVICE_UNAVAILABLE, "The game cannot be read now. Try again.")
        }
    }
}

fn show(look: &Look<Chess>) -> Response {
    let view = &look.view;
    let state = match &view.outcome {
        Some(outcome) => format!("Game Over: {outcome}"),
        None => {
            format!("{} to move{}", name(view.turn), if view.check { ", in check" } else { "" })
        }
    };
    let players = format!(
        "{} (White) against {} (Black)",
        describe(look.seats.at(WHITE)),
        describe(look.seats.at(BLACK))
    );
    let mut board = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        board.push_str("<tr>");
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let shade = if square.is_light() { "light" } else { "dark" };
            // Solid glyphs for both sides; the style paints White's white.
            let piece = view.board.piece_at(square);
            let side = piece.map_or("", |piece| piece.color.fold_wb(" white", ""));
            let glyph = piece.map_or(String::new(), |piece| {
                format!("{}\u{fe0e}", glyph(Piece { color: Color::Black, ..piece }))
            });
            let _ = write!(board, "<td class=\"{shade}{side}\" title=\"{square}\">{glyph}");
        }
    }
    let body = format!(
        "<p><a href=\"/\">All games</a></p><h1>Game {}</h1><p>{}</p><p role=\"status\">{}</p>\
         <table class=\"board\">{board}</table><p>{}</p><p>FEN: <code>{}</code></p>",
        look.id,
        escape(&players),
        escape(&state),
        escape(&view.movetext()),
        escape(&view.fen),
    );
    page(&format!("Game {} - agon", look.id), &body, view.outcome.is_none())
}

fn trouble(status: StatusCode, why: &str) -> Response {
    let body = format!("<h1>agon</h1><p>{}</p><p><a href=\"/\">All games</a></p>", escape(why));
    (status, page("agon", &body, false)).into_response()
}

fn page(title: &str, body: &str, refresh: bool) -> Response {
    let refresh = if refresh { "<meta http-equiv=\"refresh\" content=\"3\">" } else { "" };
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">{refresh}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{}</title><style>{STYLE}</style>{body}</html>",
        escape(title)
    );
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ];
    (headers, Html(html)).into_response()
}

/// Names come from clients, and may be anything.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
