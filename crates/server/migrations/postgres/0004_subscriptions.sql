-- What a session has subscribed to, wherever its stream is open.
create table subscriptions (
    session bytea not null,
    uri text not null,
    primary key (session, uri)
);
