-- expand
-- What an account at a provider takes, as the provider itself said: payment types with their brands, and currencies. Offers
-- and routing read it. An account without a row, or without an answer, takes all that its connector can do.
create table account_capabilities (
  -- Whose account it is; the nil merchant has those of the installation.
  merchant_id uuid not null,
  -- That of provider_credentials; the settings of the installation have the id of their connector.
  id uuid not null,
  provider text not null,
  -- Null: it has never answered.
  takes jsonb,
  -- When it was asked last, and since when the answer is the same.
  asked_on timestamptz,
  changed_on timestamptz not null,
  -- When it is asked again; null: its provider cannot be asked.
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index account_capabilities_due on account_capabilities (due_on) where due_on is not null;

-- Those that exist are asked by the first program that can.
insert into account_capabilities (merchant_id, id, provider, changed_on, due_on)
  select merchant_id, id, name, now(), now() from connectors where settings is not null
  union all select merchant_id, id, provider, now(), now() from provider_credentials;
