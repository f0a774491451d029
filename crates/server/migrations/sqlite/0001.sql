-- A game is its set-up, its seeds and its turns. Everything else about it is worked out from them.
create table games (
    id integer primary key,
    kind text not null,
    rules integer not null,
    setup text not null,
    -- What is dealt and thrown comes from the one, the computer's choices from the other.
    seed integer not null,
    luck integer not null,
    -- A player chose the seed, so the game is rated nowhere.
    practice integer not null,
    created_at integer not null,
    -- Kept when a game ends, so that later rules cannot change it.
    outcome text,
    winner integer,
    -- What lists show and upkeep asks for, written with every turn, so that neither replays a game.
    last_at integer not null, -- when somebody last moved or sat down
    turns integer not null,
    ended integer not null default false,
    lone integer not null, -- one agent, and no free seat
    computer_due integer not null,
    words text not null, -- that it is found by: its id, its kind, who plays
    card text not null -- how it stands, as its kind tells it
) strict;

create index games_by_kind on games (kind, created_at);
create index games_unfinished on games (kind, created_at) where outcome is null;
create index games_by_move on games (kind, ended, last_at);
create index games_of_lone_agents on games (kind, ended, lone, last_at) where lone = true;
create index games_for_computer on games (last_at) where computer_due = true;

-- Where the words of names lead to. What nearly every game has, its kind or an agent, is not here.
create table terms (
    term text not null,
    game integer not null,
    primary key (term, game)
) strict, without rowid;

create table seats (
    rowid integer primary key,
    game integer not null references games,
    seat integer not null,
    player text not null,
    name text not null,
    manner text not null,
    at integer not null,
    -- The link that seats a person at a board: how many came before it, each ended by the next with
    -- the passes it gave, and whether somebody has opened the newest.
    links integer not null default 0,
    opened integer not null default 0,
    refused integer not null default 0, -- how many of the seat's moves were refused
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
    report text, -- what it did, in games whose moves have something to report
    request text, -- the key its caller gave it, by which the same call is known when it comes again
    comment text, -- what its player says of it
    refused integer not null default 0, -- how many of the seat's moves had been refused by then
    loose integer not null default 0, -- 1 if the move was found in a text that was none
    tokens integer, -- what its player says it cost
    unique (game, number)
) strict;

-- Which seat a connection took, so that it need not show its pass. Hashed.
create table connections (
    game integer not null references games,
    connection blob not null,
    seat integer not null,
    primary key (game, connection)
) strict, without rowid;

-- A client asks which games it plays in.
create index connections_by_client on connections (connection);

-- Games that go by a name: a dungeon by its conversation, the newest league of a series. Hashed: a
-- player who knows the name may play.
create table names (
    name blob primary key,
    game integer not null references games
) strict, without rowid;

-- MCP sessions, so that clients need not notice a restart. Ids are hashed.
create table sessions (
    id blob primary key,
    initialize text not null,
    at integer not null
) strict, without rowid;

create index sessions_by_age on sessions (at);

-- What a session has subscribed to, wherever its stream is open; and what that address is about: a
-- game, by its id, or leagues.
create table subscriptions (
    session blob not null,
    uri text not null,
    about text not null,
    primary key (session, uri)
) strict, without rowid;

create index subscriptions_about on subscriptions (about);

-- Work that one process at a time does for all of them, and until when it has promised to.
create table leases (
    name text primary key,
    holder integer not null,
    until integer not null
) strict, without rowid;

create index leases_by_end on leases (until);

-- What processes have to say to each other; only the last of it is kept.
create table node_messages (
    rowid integer primary key autoincrement,
    text text not null
) strict;

-- What was said in the matches of leagues, as it was on the wire but for secrets. `game` is the
-- league's; nothing is kept for ever.
create table match_log (
    rowid integer primary key,
    game integer not null references games,
    contest text not null,
    player text not null,
    at integer not null,
    until integer not null,
    text text not null
) strict;

create index match_log_of_contest on match_log (game, contest);
create index match_log_by_end on match_log (until);

-- What passes are made from.
create table secret (
    only integer primary key check (only = 1),
    key blob not null
) strict;
insert into secret values (1, randomblob(32));
