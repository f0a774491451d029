-- What a player says of a move, beside it.
alter table turns add column comment text;

-- How often a seat's moves were refused, and how often they were read loosely.
alter table seats add column refused integer not null default 0;
alter table seats add column loose integer not null default 0;
