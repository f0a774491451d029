-- What a session has subscribed to, wherever its stream is open.
create table subscriptions (
    session blob not null,
    uri text not null,
    primary key (session, uri)
) strict, without rowid;

-- What processes have to say to each other; only the last of it is kept.
create table words (
    rowid integer primary key autoincrement,
    text text not null
) strict;
