//! Stories: real clients play through real transports against the real program.

mod agents;
mod any_game;
mod asked;
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
mod pages;
mod people;
mod plain;
mod players;
mod processes;
mod proxy;
mod reading;
mod resuming;
mod seats;
mod secrets;
mod secrets_at_the_doors;
mod skill;
mod startup;
mod terminal;
mod toys;
mod truth;
mod uci;
mod waiting;

/// The kinds that stories about every kind go through: all, or the toys alone where those are listed
/// (rules/src/lib.rs), because another run goes through all others.
fn told_of() -> impl Iterator<Item = rules::Kind> {
    let toys_alone = std::env::var_os("AGON_TOYS").is_some();
    let is_told = move |kind: &rules::Kind| !toys_alone || kind.name.starts_with("toy-");
    rules::KINDS.iter().copied().filter(is_told)
}
