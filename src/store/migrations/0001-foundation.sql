-- Every table is keyed by merchant first: no query can read across merchants by mistake, and the
-- tables can later be spread over several servers by that column.

create table merchants (
  id uuid primary key,
  name text not null,
  email text not null,
  notification_email text,
  finance_notification_email text,
  verified boolean not null,
  demo boolean not null,
  configuration jsonb not null,
  created_on timestamptz not null,
  updated_on timestamptz not null
);

create table stores (
  merchant_id uuid not null references merchants,
  id uuid not null,
  name text not null,
  configuration jsonb not null,
  metadata jsonb not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  deleted_on timestamptz,
  primary key (merchant_id, id)
);
create unique index stores_by_name on stores (merchant_id, name) where deleted_on is null;

create table app_tokens (
  merchant_id uuid not null references merchants,
  id uuid not null,
  store_id uuid,
  mode text check (mode in ('test', 'live')),
  domains text[] not null,
  creator_id uuid not null,
  secret_key_id text not null,
  secret_hash bytea not null,
  signing_key_id text not null,
  created_on timestamptz not null,
  deleted_on timestamptz,
  -- Set when the token is to end by itself; the worker claims it then.
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  foreign key (merchant_id, store_id) references stores,
  check ((store_id is null) = (mode is null))
);
create index app_tokens_due on app_tokens (due_on) where due_on is not null;

create table webhooks (
  merchant_id uuid not null references merchants,
  id uuid not null,
  store_id uuid,
  url text not null,
  triggers text[] not null,
  -- Sealed: it is a credential of the merchant's own server, and the interface returns it.
  auth_token bytea,
  active boolean not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  deleted_on timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, store_id) references stores
);
create unique index webhooks_by_url on webhooks
  (merchant_id, coalesce(store_id, '00000000-0000-0000-0000-000000000000'), url)
  where deleted_on is null;

create table bank_accounts (
  merchant_id uuid not null references merchants,
  id uuid not null,
  holder_name text not null,
  bank_name text not null,
  branch_name text,
  country text not null,
  bank_address text,
  currency text not null,
  routing_number text,
  swift_code text,
  ifsc_code text,
  routing_code text,
  account_number bytea not null,
  -- A keyed hash of country, currency and number: the same account is not entered twice.
  fingerprint bytea not null,
  last_four text not null,
  account_type text not null check (account_type in ('checking', 'savings')),
  status text not null check (status in ('new', 'unable_to_verify', 'verified', 'errored')),
  "primary" boolean not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  deleted_on timestamptz,
  primary key (merchant_id, id)
);
create unique index bank_accounts_primary on bank_accounts (merchant_id)
  where "primary" and deleted_on is null;
create unique index bank_accounts_by_fingerprint on bank_accounts (merchant_id, fingerprint)
  where deleted_on is null;

create table idempotency_records (
  merchant_id uuid not null,
  mode text not null,
  key text not null,
  -- Of the method, path, store and body: another request under the same key is refused.
  fingerprint bytea not null,
  status smallint not null,
  -- Sealed: an answer may hold a secret that is shown only once.
  body bytea not null,
  due_on timestamptz not null,
  primary key (merchant_id, mode, key)
);
create index idempotency_records_due on idempotency_records (due_on);

-- The outbox: written in the transaction that changes a resource, or not at all.
create table events (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid,
  mode text check (mode in ('test', 'live')),
  name text not null,
  resource_id uuid not null,
  -- 1, 2, 3 … within one resource, so that a reader can put its events in order.
  sequence integer not null,
  data jsonb not null,
  created_on timestamptz not null,
  primary key (merchant_id, id)
);
create unique index events_by_resource on events (merchant_id, resource_id, sequence);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger events_are_final before update on events
  for each row execute function refuse_change();

-- Which keys this database was written with: a process without them must not start.
create table key_checks (
  purpose text not null,
  key_id text not null,
  check_value bytea not null,
  created_on timestamptz not null,
  primary key (purpose, key_id)
);
