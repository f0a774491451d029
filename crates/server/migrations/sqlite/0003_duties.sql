-- Work that one process at a time does for all of them, and until when it has promised to.
create table duties (
    duty text primary key,
    holder integer not null,
    until integer not null
) strict, without rowid;

-- A few leagues among very many matches are found quickly.
create index games_by_kind on games (kind, created_at);
