-- expand
-- Disputes: see docs/decisions/035.

-- Customers who ask their bank for the money of a charge back. `due_on` is when the dispute is looked at again: at
-- `respond_by`, at once when there is a response to send, and now and then while the bank decides.
create table disputes (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  charge_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  provider text not null,
  -- The provider's own name of the dispute.
  provider_reference text not null,
  status text not null check (status in ('needs_response', 'under_review', 'won', 'lost', 'accepted')),
  reason text not null,
  amount bigint not null check (amount > 0),
  fee_amount bigint not null check (fee_amount >= 0),
  currency text not null,
  respond_by timestamptz not null,
  -- Sealed: the texts as JSON. The contents of files are in dispute_files.
  evidence bytea,
  files jsonb not null default '[]',
  -- A response of the merchant that the provider has not confirmed yet.
  pending_response text check (pending_response in ('evidence', 'acceptance')),
  -- Why the provider refused the last response.
  error jsonb,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  check (pending_response is null or status = 'needs_response')
);
-- Whatever a provider reports twice is one dispute.
create unique index disputes_by_reference on disputes (merchant_id, provider, provider_reference);
create index disputes_by_charge on disputes (merchant_id, charge_id, id);
create index disputes_by_store on disputes (merchant_id, store_id, id);
create index disputes_by_status on disputes (merchant_id, status, id);
create index disputes_by_reason on disputes (merchant_id, reason, id);
create index disputes_due on disputes (due_on) where due_on is not null;
create index disputes_due_in_test on disputes (merchant_id, due_on)
  where mode = 'test' and due_on is not null;
create trigger disputes_status before update of status on disputes
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"needs_response": ["under_review", "accepted", "won", "lost"], "under_review": ["won", "lost"]}');

create table dispute_files (
  merchant_id uuid not null,
  id uuid not null,
  dispute_id uuid not null,
  content bytea not null,
  primary key (merchant_id, id)
);

-- Which ledger transactions belong to a dispute: each step is posted once. In the ledger they are adjustments of the
-- charge, a kind that programs of the release before know.
create table dispute_postings (
  merchant_id uuid not null,
  dispute_id uuid not null,
  step text not null check (step in ('withdrawal', 'fee', 'reversal')),
  ledger_id uuid not null,
  primary key (merchant_id, dispute_id, step)
);
create unique index dispute_postings_by_ledger on dispute_postings (merchant_id, ledger_id);

-- What the simulated bank knows of disputes.
create table simulator_disputes (
  merchant_id uuid not null,
  reference uuid not null,
  charge_id uuid not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  status text not null,
  -- The response that was received first.
  response_reference uuid,
  respond_by timestamptz not null,
  created_on timestamptz not null,
  primary key (merchant_id, reference)
);
create index simulator_disputes_by_charge on simulator_disputes (merchant_id, charge_id);
