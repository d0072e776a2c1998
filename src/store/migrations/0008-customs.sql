-- What a shop tells customs about a charge. A charge has one declaration; what is sent again after
-- a failure or a change is the same declaration once more.
create table customs_declarations (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  charge_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  gateway text not null,
  customs text not null,
  merchant_customs_no text not null,
  -- Sealed: who the customer is.
  certificate_id bytea not null,
  certificate_name bytea not null,
  -- The reference the provider knows the newest attempt by.
  attempt_id uuid not null,
  status text not null check (status in ('pending', 'successful', 'failed', 'error')),
  error jsonb,
  declaration_result jsonb not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  check (status <> 'pending' or (declaration_result = '{}' and error is null))
);
-- Never two for a charge: not only a lock sees to it.
create unique index customs_declarations_by_charge on customs_declarations (merchant_id, charge_id);
create index customs_declarations_due on customs_declarations (due_on) where due_on is not null;
create index customs_declarations_due_in_test on customs_declarations (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create trigger customs_declarations_status before update of status on customs_declarations
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"pending": ["successful", "failed", "error"], "successful": ["pending"],
      "failed": ["pending"], "error": ["pending"]}');

-- Every attempt that has ended, and how. Who the customer is stands in the declaration alone.
create table customs_attempts (
  merchant_id uuid not null,
  -- The reference it was sent with: an attempt ends once.
  id uuid not null,
  declaration_id uuid not null,
  customs text not null,
  merchant_customs_no text not null,
  status text not null check (status in ('successful', 'failed', 'error')),
  error jsonb,
  declaration_result jsonb not null,
  created_on timestamptz not null,
  finished_on timestamptz not null,
  primary key (merchant_id, id)
);
create index customs_attempts_by_declaration on customs_attempts (merchant_id, declaration_id, id);
create trigger customs_attempts_are_final before update on customs_attempts
  for each row execute function refuse_change();

alter table simulator_operations drop constraint simulator_operations_kind_check,
  add constraint simulator_operations_kind_check check (kind in
    ('authenticate', 'authorize', 'capture', 'void', 'refund', 'deposit', 'return', 'customs'));
