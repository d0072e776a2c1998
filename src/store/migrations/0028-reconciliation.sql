-- expand
-- Settlements of providers, compared with the ledger: see docs/decisions/036.

-- A run reads the lines of one file, or of a connector, and then walks along the ledger of its period. The cursor says how
-- far it has come, and changes in the transaction of what it has done.
create table reconciliation_runs (
  id uuid primary key,
  provider text not null,
  -- The name of the file, or that of the connector.
  source text not null,
  -- Of the file: the same file is the same run.
  digest bytea,
  status text not null check (status in ('reading', 'matching', 'finished')),
  period_from timestamptz,
  period_to timestamptz,
  cursor_merchant_id uuid,
  cursor_ledger_id uuid,
  lines_read integer not null default 0,
  created_on timestamptz not null,
  updated_on timestamptz not null
);
create unique index reconciliation_runs_by_file on reconciliation_runs (provider, digest)
  where digest is not null;

-- What a provider says that it has paid or taken. `line_id` is its own name of the line.
create table settlement_lines (
  provider text not null,
  line_id text not null,
  run_id uuid not null,
  kind text not null,
  reference text not null,
  amount bigint not null,
  currency text not null,
  booked_on timestamptz not null,
  status text not null check (status in ('pending', 'matched', 'amount_differs', 'missing_here')),
  -- The ledger transaction that it is about.
  merchant_id uuid,
  ledger_id uuid,
  expected_amount bigint,
  primary key (provider, line_id)
);
create index settlement_lines_by_reference on settlement_lines (provider, kind, reference);
create index settlement_lines_by_run on settlement_lines (run_id, status, line_id);
-- Nothing is settled twice.
create unique index settlement_lines_once on settlement_lines (merchant_id, ledger_id)
  where status = 'matched';

-- Ledger transactions of the period of a run for which the provider has no line.
create table missing_settlements (
  run_id uuid not null,
  merchant_id uuid not null,
  ledger_id uuid not null,
  charge_id uuid not null,
  kind text not null,
  amount bigint not null,
  currency text not null,
  posted_on timestamptz not null,
  primary key (run_id, merchant_id, ledger_id)
);
