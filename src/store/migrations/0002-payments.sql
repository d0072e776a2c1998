create extension if not exists pg_trgm;

create table transaction_tokens (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  payment_type text not null,
  type text not null check (type in ('one_time', 'subscription', 'recurring')),
  email text,
  ip_address text,
  usage_limit text,
  metadata jsonb not null,
  active boolean not null,
  confirmed boolean,
  -- What may be shown: masked card data and billing address.
  data jsonb not null,
  cvv_authorize jsonb not null,
  cvv_authorize_check jsonb not null,
  three_ds jsonb not null,
  card_number bytea,
  -- Sealed under a key outside of the database that is destroyed after five minutes.
  cvv bytea,
  card_fingerprint bytea,
  customer_id uuid,
  search_text text not null,
  uses integer not null default 0,
  -- Until when the token can be used for the first time; null: no limit.
  expires_on timestamptz,
  last_used_on timestamptz,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  deleted_on timestamptz,
  -- When the card's security code is wiped.
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index transaction_tokens_by_store on transaction_tokens (merchant_id, store_id, id);
create index transaction_tokens_by_customer on transaction_tokens (merchant_id, customer_id, id)
  where customer_id is not null;
create index transaction_tokens_due on transaction_tokens (due_on) where due_on is not null;
create index transaction_tokens_search on transaction_tokens using gin (search_text gin_trgm_ops)
  where type <> 'one_time';
-- One active subscription token for a card and customer.
create unique index transaction_tokens_of_card on transaction_tokens
  (merchant_id, store_id, mode, card_fingerprint, coalesce(customer_id::text, email, ''))
  where type = 'subscription' and active;

create table charges (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  type text not null check (type in ('normal', 'cvv_auth')),
  transaction_token_id uuid not null,
  transaction_token_type text not null,
  payment_type text not null,
  subscription_id uuid,
  merchant_transaction_id text,
  requested_amount bigint not null check (requested_amount >= 0),
  requested_currency text not null,
  -- What the provider is asked for: the requested amount, or its conversion.
  provider_amount bigint not null,
  provider_currency text not null,
  charged_amount bigint,
  charged_currency text,
  fee_amount bigint,
  only_direct_currency boolean not null,
  capture boolean not null,
  capture_at timestamptz,
  descriptor text,
  descriptor_phone_number text,
  status text not null check (status in
    ('pending', 'awaiting', 'authorized', 'successful', 'failed', 'error', 'canceled')),
  error jsonb,
  metadata jsonb not null,
  redirect jsonb,
  three_ds jsonb,
  -- What was begun with an authorized charge and is not finished; never more than one thing.
  pending_action text check (pending_action in ('capture', 'cancel', 'expire')),
  capture_amount bigint,
  refunded_amount bigint not null default 0,
  email text,
  cardholder text,
  phone text,
  brand text,
  last_four text,
  exp_month smallint,
  exp_year smallint,
  card_fingerprint bytea,
  search_text text not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  authorized_on timestamptz,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  check (refunded_amount between 0 and coalesce(charged_amount, 0))
);
create index charges_by_store on charges (merchant_id, store_id, id);
create index charges_by_token on charges (merchant_id, transaction_token_id, id);
create index charges_by_email on charges (merchant_id, email, id) where email is not null;
create index charges_by_card on charges (merchant_id, last_four, id) where last_four is not null;
create index charges_due on charges (due_on) where due_on is not null;
create index charges_search on charges using gin (search_text gin_trgm_ops);
create unique index charges_by_merchant_transaction_id on charges
  (merchant_id, store_id, mode, merchant_transaction_id)
  where merchant_transaction_id is not null;

create table refunds (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  charge_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  status text not null check (status in ('pending', 'successful', 'failed', 'error')),
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text,
  message text,
  error jsonb,
  metadata jsonb not null,
  search_text text not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index refunds_by_charge on refunds (merchant_id, charge_id, id);
create index refunds_by_store on refunds (merchant_id, store_id, id);
create index refunds_due on refunds (due_on) where due_on is not null;
create index refunds_search on refunds using gin (search_text gin_trgm_ops);

create table cancels (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  charge_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  status text not null check (status in ('pending', 'successful', 'failed', 'error')),
  error jsonb,
  metadata jsonb not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index cancels_by_charge on cancels (merchant_id, charge_id, id);
create index cancels_due on cancels (due_on) where due_on is not null;

-- The last 1440 test charges of a merchant, in a ring: a slot may be used again after a day.
create table test_charge_rings (
  merchant_id uuid not null,
  position bigint not null,
  primary key (merchant_id)
);
create table test_charge_slots (
  merchant_id uuid not null,
  slot integer not null,
  used_on timestamptz not null,
  primary key (merchant_id, slot)
);

-- The life of each resource, as the table of the program has it: nothing else can be stored.
create function refuse_illegal_status() returns trigger language plpgsql as $$
begin
  if not coalesce(tg_argv[0]::jsonb -> old.status ? new.status, false) then
    raise exception '% cannot become % after %', tg_table_name, new.status, old.status;
  end if;
  return new;
end $$;
create trigger charges_status before update of status on charges
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"pending": ["successful", "authorized", "awaiting", "failed", "error"],
      "awaiting": ["successful", "authorized", "failed", "error", "canceled"],
      "authorized": ["successful", "canceled", "failed"]}');
create trigger refunds_status before update of status on refunds
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"pending": ["successful", "failed", "error"]}');
create trigger cancels_status before update of status on cancels
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"pending": ["successful", "failed", "error"]}');
