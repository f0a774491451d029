-- A game is its set-up, its seeds and its turns. Everything else about it is worked out from them.
create table games (
    id bigint primary key,
    kind text not null,
    rules integer not null,
    setup text not null,
    -- What is dealt and thrown comes from the one, the computer's choices from the other.
    seed bigint not null,
    luck bigint not null,
    -- A player chose the seed, so the game is rated nowhere.
    practice boolean not null,
    created_at bigint not null,
    -- Kept when a game ends, so that later rules cannot change it.
    outcome text,
    winner smallint,
    -- What lists show and upkeep asks for, written with every turn, so that neither replays a game.
    last_at bigint not null, -- when somebody last moved or sat down
    turns bigint not null,
    ended boolean not null default false,
    lone boolean not null, -- one agent, and no free seat
    computer_due boolean not null,
    words text not null, -- that it is found by: its id, its kind, who plays
    card text not null -- how it stands, as its kind tells it
);

create index games_by_kind on games (kind, created_at, id);
create index games_unfinished on games (kind, created_at, id) where outcome is null;
create index games_by_move on games (kind, ended, last_at, id);
create index games_of_lone_agents on games (kind, ended, lone, last_at, id) where lone = true;
create index games_for_computer on games (last_at) where computer_due = true;

-- Where the words of names lead to. What nearly every game has, its kind or an agent, is not here.
create table terms (
    term text collate "C" not null,
    game bigint not null,
    primary key (term, game)
);

create table seats (
    game bigint not null references games,
    seat smallint not null,
    player text not null,
    name text not null,
    manner text not null,
    at bigint not null,
    -- The link that seats a person at a board: how many came before it, each ended by the next with
    -- the passes it gave, and whether somebody has opened the newest.
    links integer not null default 0,
    opened boolean not null default false,
    refused integer not null default 0, -- how many of the seat's moves were refused
    primary key (game, seat)
);

-- The key decides who was first when two nodes play the same turn. Games are never deleted and a
-- turn is only played in a game that was read, so a foreign key would cost and find nothing.
create table turns (
    game bigint not null,
    number integer not null,
    seat smallint not null,
    move text not null,
    at bigint not null,
    report text, -- what it did, in games whose moves have something to report
    request text, -- the key its caller gave it, by which the same call is known when it comes again
    comment text, -- what its player says of it
    refused integer not null default 0, -- how many of the seat's moves had been refused by then
    loose integer not null default 0, -- 1 if the move was found in a text that was none
    tokens integer, -- what its player says it cost
    primary key (game, number)
);

-- Which seat a connection took, so that it need not show its pass. Hashed.
create table connections (
    game bigint not null references games,
    connection bytea not null,
    seat smallint not null,
    primary key (game, connection)
);

-- A client asks which games it plays in.
create index connections_by_client on connections (connection);

-- Games that go by a name: a dungeon by its conversation, the newest league of a series. Hashed: a
-- player who knows the name may play.
create table names (
    name bytea primary key,
    game bigint not null references games
);

-- MCP sessions, so that clients need not notice which node they speak to. Ids are hashed.
create table sessions (
    id bytea primary key,
    initialize text not null,
    at bigint not null
);

create index sessions_by_age on sessions (at);

-- What a session has subscribed to, wherever its stream is open; and what that address is about: a
-- game, by its id, or leagues.
create table subscriptions (
    session bytea not null,
    uri text not null,
    about text not null,
    primary key (session, uri)
);

create index subscriptions_about on subscriptions (about);

-- Work that one node at a time does for all of them, and until when it has promised to, by the
-- clock of the database.
create table leases (
    name text primary key,
    holder bigint not null,
    until timestamptz not null
);

create index leases_by_end on leases (until);

-- What was said in the matches of leagues, as it was on the wire but for secrets. `game` is the
-- league's; nothing is kept for ever.
create table match_log (
    id bigint generated always as identity primary key,
    game bigint not null references games,
    contest text not null,
    player text not null,
    at bigint not null,
    until bigint not null,
    text text not null
);

create index match_log_of_contest on match_log (game, contest);
create index match_log_by_end on match_log (until);

-- What passes are made from.
create table secret (
    only_one integer primary key check (only_one = 1),
    key bytea not null
);
insert into secret
select 1, decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
