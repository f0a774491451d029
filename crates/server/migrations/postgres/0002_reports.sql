-- What a turn did, in games whose moves have something to report; and the key its caller gave it,
-- by which the same call is known when it comes again.
alter table turns add column report text;
alter table turns add column request text;

-- Games that their players call by names of their own. Hashed: who knows the name may play.
create table names (
    name bytea primary key,
    game bigint not null references games
);
