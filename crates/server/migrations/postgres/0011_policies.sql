-- On which terms a game is played.
alter table games add column policy text not null default 'casual';

-- Who sits there, if that is known beyond this game.
alter table seats add column known bigint;
