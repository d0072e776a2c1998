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

-- The number of the next event of a resource. No earlier event of it has a smaller id than `since`. A function, because
-- most events are the first of their resource: a statement that contains the search opens every month for them too.
create function next_event_sequence(merchant uuid, resource uuid, since uuid) returns integer
  language plpgsql as $$
begin
  return coalesce(
    (select max(sequence) from events
      where merchant_id = merchant and resource_id = resource and id >= since),
    (select max_sequence from event_retention where resource < kept_from), 0) + 1;
end $$;

-- Up to which token of a merchant the personal data of tokens for one charge was removed.
create table token_retention (
  merchant_id uuid not null,
  emptied_up_to uuid not null,
  primary key (merchant_id)
);
