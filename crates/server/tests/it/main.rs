//! Stories: real clients play through real transports against the real program.

mod agents;
mod bad_input;
mod balancer;
mod browser_hosts;
mod call_chains;
mod cluster;
mod computer;
mod crash;
mod delver;
mod documents;
mod dungeon;
mod engines;
mod hints;
mod house;
mod league;
mod league_player;
mod league_wire;
mod nodes;
mod old_stores;
mod pages;
mod players;
mod processes;
mod seats;
mod startup;
mod uci;
mod waiting;
