-- What lists show and upkeep asks for, written with every turn, so that neither replays a game. In
-- a game of before, `words` is null until it has been filled in.
alter table games add column last_at bigint; -- when somebody last moved or sat down
alter table games add column turns bigint;
alter table games add column ended boolean not null default false;
alter table games add column lone boolean not null default false; -- one agent, and no free seat
alter table games add column computer_due boolean not null default false;
alter table games add column words text; -- that it is found by: its id, its kind, who plays
alter table games add column card text; -- how it stands, as its kind tells it

-- Where the words of names lead to. What nearly every game has, its kind or an agent, is not here.
create table terms (
    term text collate "C" not null,
    game bigint not null,
    primary key (term, game)
);

drop index games_by_age;
drop index games_in_play;
create index games_unfinished on games (kind, created_at, id) where outcome is null;
create index games_by_move on games (kind, ended, last_at, id) where words is not null;
create index games_of_lone_agents on games (kind, ended, lone, last_at, id)
    where lone = true and words is not null;
create index games_for_computer on games (last_at) where computer_due = true;
create index games_to_fill_in on games (words, kind, created_at desc) where words is null;
