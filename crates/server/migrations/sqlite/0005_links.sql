-- The link that seats a person at a board: how many there have been, each ending the one before with
-- the passes it gave, and whether somebody has opened the newest.
alter table seats add column links integer not null default 0;
alter table seats add column opened integer not null default 0;

-- A client asks which games it plays in.
create index connections_by_client on connections (connection);
