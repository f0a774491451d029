-- The newest of the leagues that went by one name. Hashed, as names are.
create table series (
    name bytea primary key,
    game bigint not null references games
);

-- What was said in the matches of leagues, as it was on the wire but for secrets. `game` is the
-- league's; nothing is kept for ever.
create table letters (
    id bigint generated always as identity primary key,
    game bigint not null references games,
    contest text not null,
    player text not null,
    at bigint not null,
    until bigint not null,
    text text not null
);

create index letters_of_contest on letters (game, contest);
create index letters_by_end on letters (until);
