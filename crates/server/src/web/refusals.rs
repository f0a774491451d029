//! Why the pages are refused something, in a sentence for a person.

use axum::{
    Json,
    body::to_bytes,
    extract::Request,
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use rules::{Illegal, cut};
use serde_json::json;

use crate::{
    budgets::TooMany,
    hall::{CreateError, FindError, Refusal, WrongKind},
    league::play::refusals::LeagueRefusal,
    store::StoreError,
    wording::sentence,
};

const NOT_KNOWN: &str = "It is not known whether that was done; the store gave no answer in time. \
                         Do the same again: it counts once.";

/// More characters than axum's own words take; they may repeat what came.
const LONGEST_REFUSAL: usize = 400;

/// Why not, and how loud that is: what the caller can help is for the caller alone, and of our own
/// faults the owner hears too, when the answer leaves.
#[derive(Debug)]
pub enum ApiError {
    /// In a sentence for a person.
    Told(StatusCode, String),
    TooMany(TooMany),
    /// A game is there, and cannot be read.
    Unreadable(FindError),
    Store(StoreError),
}

impl ApiError {
    pub fn new(status: StatusCode, text: impl Into<String>) -> ApiError {
        ApiError::Told(status, text.into())
    }

    fn log(&self) {
        match self {
            ApiError::Told(..) | ApiError::TooMany(_) => {}
            ApiError::Unreadable(error) => tracing::error!(%error, "a game cannot be shown"),
            ApiError::Store(error) => tracing::error!(%error, "the store does not answer"),
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            ApiError::Told(status, _) => *status,
            ApiError::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Unreadable(_) => StatusCode::INTERNAL_SERVER_ERROR,
            ApiError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// When to come back, in seconds, if that is known.
    fn retry(&self) -> Option<u64> {
        match self {
            ApiError::TooMany(too_many) => Some(too_many.seconds()),
            _ => None,
        }
    }

    fn told(self) -> String {
        match self {
            ApiError::Told(_, text) => text,
            ApiError::TooMany(too_many) => {
                let (what, seconds) = (too_many.what, too_many.seconds());
                format!("Too many {what}. Try again in {seconds} seconds.")
            }
            ApiError::Unreadable(_) => "This game cannot be read.".into(),
            ApiError::Store(StoreError::Unknown) => NOT_KNOWN.into(),
            ApiError::Store(error) => {
                format!("The games cannot be read or saved now; {}.", error.remedy())
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let status = self.status();
        let retry = self.retry().map(|seconds| [(header::RETRY_AFTER, seconds.to_string())]);
        (status, retry, Json(json!({ "error": self.told() }))).into_response()
    }
}

impl From<TooMany> for ApiError {
    fn from(too_many: TooMany) -> ApiError {
        ApiError::TooMany(too_many)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        ApiError::Store(error)
    }
}

impl From<FindError> for ApiError {
    fn from(error: FindError) -> ApiError {
        match error {
            FindError::NoSuchGame(id) => {
                ApiError::new(StatusCode::NOT_FOUND, format!("There is no game {id} here."))
            }
            FindError::WrongPass(_) => {
                ApiError::new(StatusCode::FORBIDDEN, "This link opens no seat in the game.")
            }
            FindError::Unreadable { .. } => ApiError::Unreadable(error),
            FindError::Store(error) => error.into(),
        }
    }
}

impl From<CreateError> for ApiError {
    fn from(error: CreateError) -> ApiError {
        match error {
            CreateError::Setup(why) => bad(sentence(&why.to_string())),
            CreateError::TooMany(too_many) => too_many.into(),
            CreateError::Find(error) => error.into(),
        }
    }
}

impl From<WrongKind> for ApiError {
    fn from(error: WrongKind) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, sentence(&error.to_string()))
    }
}

impl From<LeagueRefusal> for ApiError {
    fn from(no: LeagueRefusal) -> ApiError {
        match no {
            LeagueRefusal::Store(error) => error.into(),
            other => ApiError::new(StatusCode::NOT_FOUND, sentence(&other.to_string())),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let text = match refusal {
            Refusal::Store(error) => return error.into(),
            Refusal::NotKnown { .. } => return StoreError::Unknown.into(),
            Refusal::Illegal(Illegal::Rule { reason, .. }) => sentence(&reason),
            Refusal::Illegal(Illegal::FalseClaim) => {
                "That move does not win; nothing was played.".into()
            }
            Refusal::Illegal(Illegal::NotYourTurn) => "It is not your turn.".into(),
            Refusal::Illegal(Illegal::Over(outcome)) => format!("The game is over: {outcome}."),
            Refusal::AnotherTurn { .. } | Refusal::KeyUsed(_) => {
                "The game has moved on; look at the board and try again.".into()
            }
        };
        ApiError::new(StatusCode::CONFLICT, text)
    }
}

pub fn bad(text: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, text)
}

/// Turns refusals of axum itself into JSON: a query, a path or a body that it cannot read, or a
/// method that is not served.
pub async fn refuse_in_json(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind == "application/json");
    if !is_api || is_json || !response.status().is_client_error() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let said = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let text = if said.is_empty() {
        parts.status.canonical_reason().unwrap_or("Refused").into()
    } else {
        cut(&String::from_utf8_lossy(&said), LONGEST_REFUSAL)
    };
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    (parts.headers, ApiError::new(parts.status, text)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ids::GameId, log::logged};

    #[tokio::test]
    async fn a_fault_of_ours_is_logged_once_when_the_answer_leaves() {
        let id = GameId::from_number(1);
        for (error, status, told, line) in [
            (
                FindError::Store(StoreError::Full),
                503,
                "The games cannot be read or saved now; nothing has changed: the disk of this \
                 server's store is full; tell the owner of the server.",
                "ERROR the store does not answer error=the disk of the store is nearly full\n",
            ),
            (
                FindError::Store(StoreError::Unknown),
                503,
                "It is not known whether that was done; the store gave no answer in time. Do the \
                 same again: it counts once.",
                "ERROR the store does not answer error=it is not known whether the store has made \
                 a change\n",
            ),
            (
                FindError::Unreadable { id, why: "of old".into() },
                500,
                "This game cannot be read.",
                "ERROR a game cannot be shown error=game 00000001 cannot be read: of old\n",
            ),
            (FindError::NoSuchGame(id), 404, "There is no game 00000001 here.", ""),
        ] {
            let mut refusal = None;
            assert_eq!(logged(|| refusal = Some(ApiError::from(error))), "");
            let mut response = None;
            let refusal = refusal.expect("it is refused");
            assert_eq!(logged(|| response = Some(refusal.into_response())), line);
            let response = response.expect("it is answered");
            assert_eq!(response.status(), status);
            let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
            assert_eq!(body, json!({ "error": told }).to_string());
        }
    }
}
