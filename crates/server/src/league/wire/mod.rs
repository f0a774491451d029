//! The messages of the league, in every dialect, and the lines they travel on. Nothing here knows a
//! league, the hall or MCP.

pub mod answer;
pub mod callbacks;
pub mod client;
pub mod clock;
pub mod connection;
pub mod contents;
pub mod dialect;
pub mod endpoint;
pub mod errors;
pub mod manner;
pub mod message;
pub mod message_log;
pub mod moves;
pub mod reading;
pub mod rpc;
pub mod timestamp;

/// The members of a JSON object.
pub type Fields = serde_json::Map<String, serde_json::Value>;
