-- What an address is about: a game, by its id, or leagues. Empty where that was not written down.
alter table subscriptions add column about text not null default '';

create index subscriptions_about on subscriptions (about);
