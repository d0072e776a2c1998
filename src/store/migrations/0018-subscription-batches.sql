-- The metadata that a token was created with, once a PATCH has changed it: the redirect of an
-- authentication that begins later carries the pairs of the creation only. Tokens whose metadata was
-- never changed have no row.
create table token_creation_metadata (
  merchant_id uuid not null,
  id uuid not null,
  metadata jsonb not null,
  primary key (merchant_id, id)
);

-- Several subscriptions that were asked for with one request. The worker creates them one by one.
create table subscription_batches (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  status text not null check (status in ('awaiting', 'successful', 'failed')),
  initial_charge_metadata jsonb,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index subscription_batches_due on subscription_batches (due_on) where due_on is not null;
create index subscription_batches_due_in_test on subscription_batches (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
-- How many a merchant has under way is bounded.
create index subscription_batches_awaiting on subscription_batches (merchant_id)
  where status = 'awaiting';

-- An item changes from awaiting in the transaction that creates its subscription: so it is created once,
-- however often the batch is worked at. What was asked for is kept until then.
create table subscription_batch_items (
  merchant_id uuid not null,
  batch_id uuid not null,
  number integer not null,
  status text not null check (status in ('awaiting', 'successful', 'failed')),
  request jsonb,
  subscription_id uuid,
  charge_id uuid,
  error jsonb,
  primary key (merchant_id, batch_id, number),
  check ((status = 'awaiting') = (request is not null)),
  check ((status = 'successful') = (subscription_id is not null)),
  check ((status = 'failed') = (error is not null))
);
