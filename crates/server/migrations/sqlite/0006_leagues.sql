-- The newest of the leagues that went by one name. Hashed, as names are.
create table series (
    name blob primary key,
    game integer not null references games
) strict, without rowid;

-- What was said in the matches of leagues, as it was on the wire but for secrets. `game` is the
-- league's; nothing is kept for ever.
create table letters (
    rowid integer primary key,
    game integer not null references games,
    contest text not null,
    player text not null,
    at integer not null,
    until integer not null,
    text text not null
) strict;

create index letters_of_contest on letters (game, contest);
create index letters_by_end on letters (until);
