//! Tools of the league are counted like its messages, by who calls them.

use axum::http::request::Parts;
use rmcp::{
    ErrorData,
    handler::server::{common::FromContextPart, tool::ToolCallContext},
};

use super::Desk;
use crate::{
    league::play::{
        pace::{Origin, ServerPart},
        refusals::MessageRefusal,
    },
    mcp::{http, refusals::Refused, reply::Reply},
};

/// Where a call of a tool came from.
pub(super) struct From(pub Origin);

impl FromContextPart<ToolCallContext<'_, Desk>> for From {
    fn from_context_part(call: &mut ToolCallContext<'_, Desk>) -> Result<From, ErrorData> {
        let parts = call.request_context.extensions.get::<Parts>();
        // Without HTTP it is the owner's own host that speaks to us.
        Ok(From(parts.map_or(Origin::Owner, http::origin)))
    }
}

impl Desk {
    /// Counts a call, or refuses it.
    pub(super) async fn charge(
        &self,
        from: &From,
        token: &str,
        league: &str,
        part: ServerPart,
    ) -> Result<(), Refused> {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (token, league) = (given(token), given(league));
        let payer = self.leagues.payer(from.0, token.as_deref(), league.as_deref(), None).await;
        Ok(self.leagues.pace.count(payer, part).map_err(MessageRefusal::from)?)
    }

    /// Counts only what was refused: a move of one who is due, and waiting for it, cost nothing.
    pub(super) async fn charge_refusal(
        &self,
        answer: Result<Reply, Refused>,
        from: &From,
        token: &str,
        league: &str,
        part: ServerPart,
    ) -> Result<Reply, Refused> {
        if answer.is_err() {
            self.charge(from, token, league, part).await?;
        }
        answer
    }
}
