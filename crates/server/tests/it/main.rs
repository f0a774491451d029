//! Stories: real clients play through real transports against the real program.

mod agents;
mod any_game;
mod bad_input;
mod balancer;
mod borders;
mod bounds;
mod browser_hosts;
mod budgets;
mod call_chains;
mod cluster;
mod comments;
mod computer;
mod crash;
mod crowd;
mod delver;
mod doctor;
mod documents;
mod documents_games;
mod documents_house;
mod dungeon;
mod dungeon_worlds;
mod engines;
mod evening;
mod heard;
mod hints;
mod house;
mod install;
mod league;
mod league_player;
mod league_wire;
mod links;
mod lists;
mod many_seats;
mod news;
mod nodes;
mod old_stores;
mod pages;
mod people;
mod plain;
mod players;
mod processes;
mod reading;
mod resuming;
mod seats;
mod secrets;
mod secrets_at_the_doors;
mod skill;
mod startup;
mod terminal;
#[cfg(feature = "toys")]
mod toys;
mod truth;
mod uci;
mod waiting;

/// The kinds that long stories of every kind are told of. With toys it is these alone: of all others
/// the same is told without.
fn told_of() -> impl Iterator<Item = rules::Kind> {
    let is_told = |kind: &rules::Kind| cfg!(not(feature = "toys")) || kind.name.starts_with("toy-");
    rules::KINDS.iter().copied().filter(is_told)
}
