-- Test mode of a merchant can be moved forward. Live mode never sees this table.
create table test_clocks (
  merchant_id uuid not null,
  -- How far ahead of the machine it is.
  offset_ms bigint not null,
  -- While it is being moved: the instant it has come to, and where it shall stop.
  frozen_at timestamptz,
  target timestamptz,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id)
);
create index test_clocks_due on test_clocks (due_on) where due_on is not null;

-- What is due for a merchant whose clock is ahead is found without looking at anybody else's.
create index charges_due_in_test on charges (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create index refunds_due_in_test on refunds (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create index cancels_due_in_test on cancels (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create index deposits_due_in_test on deposits (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create index transaction_tokens_due_in_test on transaction_tokens (merchant_id, due_on)
  where mode = 'test' and due_on is not null;

create table subscriptions (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  transaction_token_id uuid not null,
  payment_type text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  initial_amount bigint check (initial_amount >= 0),
  period text,
  cyclical_period text,
  subscription_plan jsonb,
  installment_plan jsonb,
  -- The day that cycle 0 falls on; what was asked for, if anything was, is `start_on`.
  first_date date not null,
  start_on date,
  zone_id text not null,
  preserve_end_of_month boolean,
  retry_interval text,
  termination_mode text not null check (termination_mode in ('immediate', 'on_next_payment')),
  first_charge_authorization_only boolean not null,
  first_charge_capture_after text,
  only_direct_currency boolean not null,
  descriptor text,
  three_ds jsonb,
  external_three_ds jsonb,
  status text not null check (status in ('unverified', 'unconfirmed', 'authorized', 'current',
    'unpaid', 'suspended', 'canceled', 'completed')),
  -- How many payments were made; the next one has this number.
  paid integer not null default 0,
  metadata jsonb not null,
  search_text text not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  check (period is null or cyclical_period is null)
);
create index subscriptions_by_store on subscriptions (merchant_id, store_id, id);
create index subscriptions_by_token on subscriptions (merchant_id, transaction_token_id);
create index subscriptions_search on subscriptions using gin (search_text gin_trgm_ops);
create index subscriptions_due on subscriptions (due_on) where due_on is not null;
create index subscriptions_due_in_test on subscriptions (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create trigger subscriptions_status before update of status on subscriptions
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"unverified": ["authorized", "current", "unconfirmed", "suspended", "completed", "canceled"],
      "unconfirmed": ["unverified", "canceled"],
      "authorized": ["current", "unconfirmed", "completed", "canceled"],
      "current": ["unpaid", "suspended", "completed", "canceled"],
      "unpaid": ["current", "suspended", "completed", "canceled"],
      "suspended": ["unpaid", "current", "canceled"]}');

-- One row for each payment that was made or comes next.
create table subscription_payments (
  merchant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- Counted from zero. A cycle has one payment, whoever makes it and however often it is tried.
  number integer not null,
  due_date date not null,
  zone_id text not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  is_paid boolean not null,
  is_last_payment boolean not null,
  successful_payment_date date,
  retry_date date,
  -- How often it was tried since it was last started anew.
  tries integer not null default 0,
  -- How many charges were made for it in all; the next one has this number.
  attempts integer not null default 0,
  terminate_with_status text check (terminate_with_status in ('suspended', 'canceled')),
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, id)
);
create unique index subscription_payments_once on subscription_payments
  (merchant_id, subscription_id, number);
create index subscription_payments_by_subscription on subscription_payments
  (merchant_id, subscription_id, id);

alter table charges
  add column payment_id uuid,
  add column payment_attempt integer,
  add constraint charges_payment check ((payment_id is null) = (payment_attempt is null));
-- Each try of a payment is one charge: not only a lock sees to it.
create unique index charges_by_payment on charges (merchant_id, payment_id, payment_attempt)
  where payment_id is not null;
-- And never two of them at the same time.
create unique index charges_one_open_for_payment on charges (merchant_id, payment_id)
  where payment_id is not null and status in ('pending', 'awaiting', 'authorized');
create index charges_by_subscription on charges (merchant_id, subscription_id, id)
  where subscription_id is not null;
