-- expand
-- The connectors of this installation: what live payments go through. A charge keeps the name as its provider, so a
-- connector is disabled and never removed.
create table connectors (
  -- The installation, which is no merchant: sealed values are bound to an owner, and this is theirs.
  merchant_id uuid not null default '00000000-0000-0000-0000-000000000000'
    check (merchant_id = '00000000-0000-0000-0000-000000000000'),
  -- A charge that was sent with the settings of the installation keeps it as its account.
  id uuid not null,
  name text not null check (name ~ '^[a-z0-9-]{1,40}$'),
  kind text not null,
  -- Sealed. Null: only merchants and stores with settings of their own use it; these are in provider_credentials.
  settings bytea,
  -- It takes no new payments; those that it has taken go on.
  disabled_on timestamptz,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, id)
);
create unique index connectors_by_name on connectors (name);

-- Which connector a live payment goes to: the first rule that matches, and then the following ones that match. The
-- rules of the installation are those of the nil merchant; a merchant with rules of its own uses only these.
create table routing_rules (
  merchant_id uuid not null,
  position integer not null check (position between 1 and 1000),
  connector text not null references connectors (name),
  -- Null: any.
  payment_type text,
  brand text,
  currency text check (currency ~ '^[A-Z]{3}$'),
  min_amount bigint check (min_amount >= 0),
  max_amount bigint check (max_amount >= min_amount),
  country text check (country ~ '^[A-Z]{2}$'),
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, position),
  -- An amount means nothing without its currency.
  check (currency is not null or (min_amount is null and max_amount is null))
);

-- Where a live charge may go, in order, as it was decided when it was created; `provider` is where it is now.
alter table charges add column route jsonb;

-- A provider may be known to have done nothing: then a charge may go to the next connector.
alter table provider_operations drop constraint provider_operations_outcome_check,
  add constraint provider_operations_outcome_check
    check (outcome in ('approved', 'refused', 'waiting', 'unknown', 'not_taken')) not valid;
