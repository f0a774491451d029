-- Upkeep finds the duties and sessions that have ended without looking at all there are.
create index duties_by_end on duties (until);
create index sessions_by_age on sessions (at);
