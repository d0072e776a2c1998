-- Checkout sessions and payment links: see docs/decisions/027.

-- A payment that a customer makes on a page of ours. What may be paid, and how, is in `options`, as it was when the
-- session was created. `page_id` is the secret of its address. Open sessions are due when they expire.
create table checkout_sessions (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  page_id uuid not null,
  payment_link_id uuid,
  status text not null check (status in ('open', 'processing', 'completed', 'expired', 'canceled')),
  amount bigint not null check (amount > 0),
  currency text not null,
  options jsonb not null,
  -- Those of the newest attempt.
  payment_type text,
  transaction_token_id uuid,
  charge_id uuid,
  subscription_id uuid,
  attempts integer not null default 0,
  declines integer not null default 0,
  -- Keyed hashes of address and card, by which attempts are limited.
  limit_keys jsonb,
  error jsonb,
  -- The customer sees the result of a declined attempt, and can try again, from then on.
  retry_on timestamptz,
  expires_on timestamptz not null,
  completed_on timestamptz,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create unique index checkout_sessions_by_page on checkout_sessions (merchant_id, page_id);
create index checkout_sessions_by_store on checkout_sessions (merchant_id, store_id, id);
create index checkout_sessions_by_status on checkout_sessions (merchant_id, status, id);
create index checkout_sessions_by_link on checkout_sessions (merchant_id, payment_link_id, id)
  where payment_link_id is not null;
create index checkout_sessions_due on checkout_sessions (due_on) where due_on is not null;
create index checkout_sessions_due_in_test on checkout_sessions (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create trigger checkout_sessions_status before update of status on checkout_sessions
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"open": ["processing", "expired", "canceled"], "processing": ["completed", "open", "expired"]}');

-- Charges that a customer makes on the page of a session: their results move the session.
alter table charges add column checkout_session_id uuid;

-- An address that can be paid at again and again. `reserved` counts sessions that are processing.
create table payment_links (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  page_id uuid not null,
  name text not null,
  amount bigint check (amount > 0),
  amount_choice jsonb,
  currency text not null,
  options jsonb not null,
  max_uses integer check (max_uses > 0),
  uses integer not null default 0 check (uses >= 0),
  reserved integer not null default 0 check (reserved >= 0),
  active boolean not null,
  expires_on timestamptz,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, id),
  check ((amount is null) <> (amount_choice is null))
);
create unique index payment_links_by_page on payment_links (merchant_id, page_id);
create index payment_links_by_store on payment_links (merchant_id, store_id, id);

-- Hours in which the cards of a store's customers were declined so often that each attempt needed a challenge.
create table checkout_attacks (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  hour timestamptz not null,
  created_on timestamptz not null,
  primary key (merchant_id, id)
);
create unique index checkout_attacks_once on checkout_attacks (merchant_id, store_id, mode, hour);
