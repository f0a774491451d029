-- A game is its set-up and its turns. Everything else about it is worked out from them.
create table games (
    id bigint primary key,
    kind text not null,
    rules integer not null,
    setup text not null,
    seed bigint not null,
    created_at bigint not null,
    -- Kept when a game ends, so that later rules cannot change it.
    outcome text,
    winner smallint
);

create index games_by_age on games (created_at, id);
create index games_in_play on games (created_at, id) where outcome is null;

create table seats (
    game bigint not null references games,
    seat smallint not null,
    player text not null,
    name text not null,
    manner text not null,
    at bigint not null,
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
    primary key (game, number)
);

-- Which seat a connection took, so that it need not show its pass. Hashed.
create table connections (
    game bigint not null references games,
    connection bytea not null,
    seat smallint not null,
    primary key (game, connection)
);

-- MCP sessions, so that clients need not notice which node they speak to. Ids are hashed.
create table sessions (
    id bytea primary key,
    initialize text not null,
    at bigint not null
);

-- What passes are made from.
create table secret (
    only_one integer primary key check (only_one = 1),
    key bytea not null
);
insert into secret
select 1, decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
