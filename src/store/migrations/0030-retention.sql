-- expand
-- What is kept of events. The program makes `events` a partitioned table itself (src/store/event-partitions.ts): how
-- long that takes depends on the size of the table, and it must not begin while machines of an older release serve.
create table event_retention (
  id integer primary key default 1 check (id = 1),
  -- Events before this id are deleted, or are about to be; and the time of that id.
  kept_from uuid not null default '00000000-0000-0000-0000-000000000000',
  kept_since timestamptz not null default '-infinity',
  -- The highest number of a deleted event: a resource whose events were all deleted goes on after it.
  max_sequence integer not null default 0
);
insert into event_retention default values;

-- Up to which token of a merchant the personal data of tokens for one charge was removed.
create table token_retention (
  merchant_id uuid primary key,
  emptied_up_to uuid not null
);
