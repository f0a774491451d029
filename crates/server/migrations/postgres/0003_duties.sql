-- Work that one node at a time does for all of them, and until when it has promised to, by the
-- clock of the database.
create table duties (
    duty text primary key,
    holder bigint not null,
    until timestamptz not null
);

-- A few leagues among very many matches are found quickly.
create index games_by_kind on games (kind, created_at, id);
