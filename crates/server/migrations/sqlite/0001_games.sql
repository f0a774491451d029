-- A game is its set-up and its turns. Everything else about it is worked out from them.
create table games (
    id integer primary key,
    kind text not null,
    rules integer not null,
    setup text not null,
    seed integer not null,
    created_at integer not null,
    -- Kept when a game ends, so that later rules cannot change it.
    outcome text,
    winner integer
) strict;

create index games_by_age on games (created_at);
create index games_in_play on games (created_at) where outcome is null;

create table seats (
    rowid integer primary key,
    game integer not null references games,
    seat integer not null,
    player text not null,
    name text not null,
    manner text not null,
    at integer not null,
    unique (game, seat)
) strict;

-- The unique key decides who was first when two processes play the same turn; the row id lets a
-- process see what the others have added.
create table turns (
    rowid integer primary key,
    game integer not null references games,
    number integer not null,
    seat integer not null,
    move text not null,
    at integer not null,
    unique (game, number)
) strict;

-- Which seat a connection took, so that it need not show its pass. Hashed.
create table connections (
    game integer not null references games,
    connection blob not null,
    seat integer not null,
    primary key (game, connection)
) strict, without rowid;

-- MCP sessions, so that clients need not notice a restart. Ids are hashed.
create table sessions (
    id blob primary key,
    initialize text not null,
    at integer not null
) strict, without rowid;

-- What passes are made from.
create table secret (
    only integer primary key check (only = 1),
    key blob not null
) strict;
insert into secret values (1, randomblob(32));
