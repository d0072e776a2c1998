-- Payments in which the customer acts: on a page, at a till, at a bank.

alter table transaction_tokens
  -- The hosted page of the token's authentication; nobody can guess it.
  add column page_id uuid,
  -- Where the customer goes afterwards, complete with its query.
  add column redirect_url text,
  -- When the card's security code is wiped; `due_on` is the earliest thing there is to do.
  add column wipe_on timestamptz,
  add column three_ds_expires_on timestamptz;
update transaction_tokens set wipe_on = due_on;
create unique index transaction_tokens_by_page on transaction_tokens (merchant_id, page_id)
  where page_id is not null;

alter table charges
  add column page_id uuid,
  add column redirect_url text,
  -- What the customer needs to pay: a code, an account, a page of the brand.
  add column instructions jsonb,
  -- How an online brand is called.
  add column call_method text,
  add column expires_on timestamptz,
  add column match_amount text check (match_amount in ('disabled', 'exact', 'minimum', 'maximum')),
  -- The result of a 3-D Secure authentication that was done elsewhere.
  add column external_three_ds jsonb,
  add column three_ds_passed_on timestamptz;
create unique index charges_by_page on charges (merchant_id, page_id) where page_id is not null;

-- Money that arrived for a charge. Each is kept until its charge is paid or ends, and what is not
-- needed is sent back.
create table deposits (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  charge_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  -- The provider's own: a notice that comes twice is one deposit.
  reference uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  name text,
  status text not null check (status in ('held', 'applied', 'returning', 'returned', 'unreturned')),
  applied_amount bigint not null default 0,
  return_amount bigint not null default 0,
  return_reason text check (return_reason in
    ('too_little', 'too_much', 'surplus', 'late', 'expired', 'canceled')),
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  check (applied_amount >= 0 and return_amount >= 0),
  check (applied_amount + return_amount = case status when 'held' then 0 else amount end)
);
create unique index deposits_by_reference on deposits (merchant_id, reference);
create index deposits_by_charge on deposits (merchant_id, charge_id, id);
create index deposits_due on deposits (due_on) where due_on is not null;
create trigger deposits_status before update of status on deposits
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"held": ["applied", "returning"], "returning": ["returned", "unreturned"]}');

-- The movements on the virtual account of a bank transfer, as its statement shows them.
create table bank_transfer_ledgers (
  merchant_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  bank_ledger_type text not null check (bank_ledger_type in ('deposit', 'payment')),
  amount bigint not null check (amount > 0),
  balance bigint not null check (balance >= 0),
  created_on timestamptz not null,
  primary key (merchant_id, id)
);
create index bank_transfer_ledgers_by_charge on bank_transfer_ledgers (merchant_id, charge_id, id);

-- The books know which deposit they speak of: each is entered once and returned once.
alter table ledger_transactions add column deposit_id uuid;
alter table ledger_transactions drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in ('authorization', 'release',
    'capture', 'fee', 'conversion', 'refund', 'deposit', 'return', 'adjustment'));
drop index ledger_transactions_once;
create unique index ledger_transactions_once on ledger_transactions
  (merchant_id, charge_id, kind, refund_id, deposit_id) nulls not distinct
  where kind <> 'adjustment' and (kind <> 'deposit' or deposit_id is not null);

alter table simulator_operations drop constraint simulator_operations_kind_check,
  add constraint simulator_operations_kind_check check (kind in
    ('authenticate', 'authorize', 'capture', 'void', 'refund', 'deposit', 'return'));
-- What the simulated providers still have to tell the service, as real ones call back until they
-- are heard.
create table simulator_notices (
  merchant_id uuid not null,
  id uuid not null,
  mode text not null default 'test' check (mode = 'test'),
  resource_type text not null check (resource_type in ('charge', 'transaction_token')),
  resource_id uuid not null,
  -- Of a deposit: what the bank knows of it.
  deposit jsonb,
  created_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index simulator_notices_due on simulator_notices (due_on) where due_on is not null;
create index simulator_notices_due_in_test on simulator_notices (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
