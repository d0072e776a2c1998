-- Kept as it was written: the order of its keys is what a reader sees.
alter table events alter column data type json using data::json;

-- Events stand here from the commit that made them until they have their place in the feed.
create table event_queue (
  merchant_id uuid not null,
  event_id uuid not null,
  -- Taken while the resource is held: two events of one resource stand here in their order.
  arrival bigint not null generated always as identity,
  primary key (merchant_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create unique index event_queue_by_arrival on event_queue (arrival);

-- The feed: every event at the place where it was committed. One process at a time writes it,
-- so that nothing ever appears behind a place that was already read.
create table event_feed (
  merchant_id uuid not null,
  position bigint not null,
  event_id uuid not null,
  store_id uuid,
  mode text check (mode in ('test', 'live')),
  name text not null,
  primary key (merchant_id, position)
);
create unique index event_feed_by_event on event_feed (merchant_id, event_id);
create index event_feed_by_store on event_feed (merchant_id, store_id, position);
create index event_feed_by_name on event_feed (merchant_id, name, position);

-- Who holds this row writes the feed.
create table event_feed_end (
  id integer primary key default 1 check (id = 1),
  position bigint not null
);
insert into event_feed_end (position) values (0);
insert into event_queue (merchant_id, event_id)
  select merchant_id, id from events order by id, sequence;

alter table webhooks
  -- Sealed. What deliveries are signed with; after a change the one before signs as well, for a while.
  add column secret bytea,
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  -- Why the service switched it off by itself, and when.
  add column disabled_reason text,
  add column disabled_on timestamptz;
create index webhooks_active on webhooks (merchant_id, store_id)
  where active and deleted_on is null;

-- The queue of one webhook in one mode. Lanes are claimed, not deliveries: a receiver that is slow
-- or dead has one place in line, however much waits for it.
create table webhook_lanes (
  merchant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  webhook_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  due_on timestamptz,
  claims integer not null default 0,
  -- Whether somebody sends; after a crash it stays so until the lease is over.
  sending boolean not null default false,
  -- The earliest delivery that came while somebody was sending.
  fresh_on timestamptz,
  -- Attempts that failed, one after the other; after some the lane rests for a while.
  failures integer not null default 0,
  rests_until timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, webhook_id, mode),
  foreign key (merchant_id, webhook_id) references webhooks
);
create index webhook_lanes_due on webhook_lanes (due_on) where due_on is not null;
create index webhook_lanes_due_in_test on webhook_lanes (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
insert into webhook_lanes (merchant_id, webhook_id, mode)
  select merchant_id, id, mode from webhooks, unnest(array['test', 'live']) as mode
  where deleted_on is null;

create table webhook_deliveries (
  merchant_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  position bigint not null,
  resource_id uuid not null,
  -- The event's name as the webhook spells it.
  trigger text not null,
  -- Waiting: when it is tried next. Neither this nor delivered: given up.
  next_on timestamptz,
  delivered_on timestamptz,
  -- A round of attempts begins anew when somebody has it sent again.
  round_on timestamptz not null,
  attempts integer not null default 0,
  -- Every attempt there was: when, how long it took, and how it ended.
  tries jsonb not null default '[]',
  created_on timestamptz not null,
  primary key (merchant_id, webhook_id, event_id),
  check (next_on is null or delivered_on is null)
);
create index webhook_deliveries_due on webhook_deliveries
  (merchant_id, webhook_id, mode, next_on, position) where next_on is not null;
create index webhook_deliveries_failed on webhook_deliveries (merchant_id, webhook_id, event_id)
  where next_on is null and delivered_on is null;

-- Events of the past that are sent again, some at a time.
create table webhook_replays (
  merchant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  mode text check (mode in ('test', 'live')),
  -- Which events: from, to, triggers, resource_id, only_failed.
  filter jsonb not null,
  -- Another address, for a rehearsal.
  url text,
  total integer not null,
  queued integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  -- The event it has come to.
  last_event_id uuid,
  created_on timestamptz not null,
  finished_on timestamptz,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_id) references webhooks
);
create index webhook_replays_due on webhook_replays (due_on) where due_on is not null;
