-- What the console's screens read. Lists are in docs/large-tables.md; why there are rollups and a request log
-- is in docs/decisions/025.

-- Payments, refunds and failures by the hour, counted from the event feed by the worker.
create table activity_hours (
  merchant_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  hour timestamptz not null,
  store_id uuid not null,
  currency text not null,
  payment_type text not null,
  -- Empty: there is none.
  brand text not null,
  outcome text not null check (outcome in ('successful', 'failed', 'canceled', 'refunded')),
  -- The code of the error of a failed payment; 0 without one.
  reason integer not null,
  count bigint not null,
  amount bigint not null,
  primary key (merchant_id, mode, hour, store_id, currency, payment_type, brand, outcome, reason)
) with (fillfactor = 70);

-- A customer is known once a payment has ended: by the id that the merchant gave, or by the e-mail.
create table customers (
  merchant_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  -- The customer id, or the e-mail of customers without one.
  identity text not null,
  customer_id uuid,
  email text,
  name text,
  created_on timestamptz not null,
  primary key (merchant_id, id)
);
create unique index customers_once on customers (merchant_id, mode, identity);
create index customers_by_email on customers (merchant_id, mode, email collate "C", id)
  where email is not null;
create index customers_listed on customers (merchant_id, mode, id);

-- Up to which position of the feed both of the above are written. The row is locked meanwhile.
create table activity_position (
  id integer primary key default 1 check (id = 1),
  position bigint not null
);
insert into activity_position (position) values (0);
create index event_feed_of_activity on event_feed (position)
  where name in ('charge_finished', 'refund_finished');

-- Requests of the last days, written in bulk. The id contains the time, which is that of the database;
-- `ahead_ms` is how far the merchant's test clock was ahead of it.
create table request_log (
  merchant_id uuid not null,
  id uuid not null,
  request_id text not null,
  store_id uuid,
  mode text check (mode in ('test', 'live')),
  -- The application token, or the user.
  token_id uuid not null,
  is_user boolean not null,
  method text not null,
  operation text,
  path text not null,
  status integer not null,
  duration_ms integer not null,
  idempotency_key text,
  -- What the path names last, or what the request created.
  resource_id uuid,
  error jsonb,
  ahead_ms bigint not null,
  primary key (merchant_id, id)
);
-- Most requests create something. Ids contain their time, so such a request is found soon after the time of
-- its id and of what it created; only others have an entry here.
create index request_log_by_request on request_log (merchant_id, request_id)
  where status <> 201 or length(request_id) <> 36 or substr(request_id, 15, 1) <> '7';
create index request_log_by_resource on request_log (merchant_id, resource_id, id)
  where resource_id is not null and (status <> 201 or ahead_ms <> 0);
create index request_log_of_errors on request_log (merchant_id, id) where status >= 400;

create table saved_views (
  merchant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  list text not null,
  filters jsonb not null,
  columns text[] not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, id)
);
create index saved_views_by_user on saved_views (merchant_id, user_id, id);

-- Charges that ended without money, by status and by error code. The generated column stays null while a
-- charge is processed and when it succeeds, so that such updates stay heap-only.
alter table charges add column unpaid_status text generated always as
  (case when status in ('failed', 'error', 'canceled') then status end) stored;
create index charges_by_unpaid_status on charges (merchant_id, mode, unpaid_status, id)
  where unpaid_status is not null;
create index charges_by_error on charges (merchant_id, mode, (error ->> 'code'), id)
  where error is not null;

create index webhook_deliveries_listed on webhook_deliveries (merchant_id, mode, event_id);
create index webhook_deliveries_given_up on webhook_deliveries (merchant_id, mode, event_id)
  where next_on is null and delivered_on is null;

create index deposits_listed on deposits (merchant_id, mode, id);
create index deposits_by_status on deposits (merchant_id, mode, status, id);

-- Accounts that few transactions have are found without reading the others.
create index ledger_transactions_in_test on ledger_transactions (merchant_id, id)
  where mode = 'test';
create index ledger_transactions_of_holds on ledger_transactions (merchant_id, id)
  where accounts && '{authorization_hold,authorized_by_customer}';
create index ledger_transactions_of_rare_accounts on ledger_transactions (merchant_id, id)
  where accounts && '{paid_out,suspense,fx_clearing,conversion_requested,conversion_charged}';
