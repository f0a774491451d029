//! Leagues in play: opened, joined, led from match to match and refereed.

pub mod announce;
pub mod application;
pub mod at_work;
pub mod conductor;
pub mod counter;
pub mod deadlines;
pub mod entering;
pub mod handing_in;
pub mod joining;
pub mod leagues;
pub mod match_log;
pub mod rate_limit;
pub mod referee;
pub mod refusals;
pub mod registration;
pub mod report;
pub mod tables;
