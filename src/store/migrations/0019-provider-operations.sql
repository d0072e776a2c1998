-- Which provider has a charge is decided when the charge is created, and kept: captures, refunds, voids
-- and inquiries go where the charge went. Charges of before were all taken by a simulator, if by any; most
-- are of cards, and the default of a new column rewrites no row.
alter table charges add column provider text default 'card_simulator';
alter table charges alter column provider drop default;
update charges set provider = case mode when 'test' then 'customer_simulator' end
  where mode = 'live' or payment_type not in ('card', 'apple_pay');

-- What the provider said when it took the payment, for everything that comes after.
alter table charges
  add column provider_reference text,
  add column authorization_code text,
  add column network_transaction_id text,
  add column provider_data jsonb,
  add column three_ds_result jsonb,
  -- What a customer brought along who came back from the provider's page.
  add column returned_with jsonb;
-- The same of a card that is authenticated on its own: provider, reference, data, result, returned_with.
alter table transaction_tokens add column authentication jsonb;
update transaction_tokens set authentication = '{"provider": "card_simulator"}'
  where mode = 'test' and three_ds ->> 'status' in ('pending', 'awaiting');

-- A reversal is noted before the provider hears of it, as the other actions are: from then on the charge
-- can only be undone, whatever an inquiry says of it.
alter table charges drop constraint charges_pending_action_check;
alter table charges add constraint charges_pending_action_check
  check (pending_action in ('capture', 'cancel', 'expire', 'reverse')) not valid;
alter table charges validate constraint charges_pending_action_check;

-- Every call of a provider. A call is written down before it is made, and again with its outcome; the
-- authorization of a charge, whose claimed row says as much, with its outcome only. There is one row for
-- each reference and claim; `is_inquiry` when the outcome is that of an inquiry.
create table provider_operations (
  merchant_id uuid not null,
  -- The charge, or the token whose card was authenticated on its own.
  charge_id uuid not null,
  reference uuid not null,
  -- Which claim of the row that wanted it.
  attempt integer not null,
  -- The charge, refund, cancel, declaration, deposit or token that wanted it.
  resource_id uuid not null,
  kind text not null check (kind in
    ('authenticate', 'authorize', 'capture', 'void', 'refund', 'return_deposit', 'declare_customs')),
  provider text not null,
  is_inquiry boolean not null default false,
  -- Null while the call is under way, and for ever when the process died with it.
  outcome text check (outcome in ('approved', 'refused', 'waiting', 'unknown')),
  code integer,
  provider_reference text,
  raw_code text,
  raw_message text,
  request_id text,
  started_on timestamptz not null,
  finished_on timestamptz,
  primary key (merchant_id, charge_id, reference, attempt)
);
create index provider_operations_by_time on provider_operations (started_on);
-- A notification may name a payment by the provider's reference alone. It comes for what is not decided.
create index provider_operations_by_provider_reference
  on provider_operations (provider, provider_reference)
  where provider_reference is not null and outcome in ('waiting', 'unknown');

-- Hints of providers that something happened. They are stored before the provider hears that they were
-- received; the worker then asks the provider what it was.
create table provider_notifications (
  merchant_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  resource_type text not null check (resource_type in ('charge', 'transaction_token')),
  resource_id uuid not null,
  created_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index provider_notifications_due on provider_notifications (due_on) where due_on is not null;
create index provider_notifications_due_in_test on provider_notifications (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
insert into provider_notifications
  (merchant_id, id, mode, resource_type, resource_id, created_on, due_on)
  select merchant_id, id, mode, resource_type, resource_id, created_on, due_on from simulator_notices;
-- The table itself stays for a release that is still running; a later migration drops it.
delete from simulator_notices;

-- What merchants, or their stores, sign in to a provider with. Sealed.
create table provider_credentials (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- Null: for every store that has none of its own.
  store_id uuid,
  provider text not null,
  credentials bytea not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, id)
);
create unique index provider_credentials_once
  on provider_credentials (merchant_id, provider, store_id) nulls not distinct;
