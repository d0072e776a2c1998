-- The simulator's own book, as an outside provider would keep it: it refers to nothing of ours and
-- knows each operation by the reference it was sent with. Never a card number or an e-mail address.
create table simulator_operations (
  merchant_id uuid not null,
  reference uuid not null,
  kind text not null check (kind in ('authorize', 'capture', 'void', 'refund')),
  charge_id uuid not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  -- Of an authorization only: whether it took the amount in the same step.
  capture boolean,
  outcome jsonb not null,
  -- What later operations on this charge shall do.
  traits jsonb not null,
  -- From when on the outcome is told.
  ready_on timestamptz not null,
  -- How often the reference came in.
  received integer not null default 1,
  created_on timestamptz not null,
  primary key (merchant_id, reference),
  check ((kind = 'authorize') = (capture is not null))
);
create index simulator_operations_by_charge on simulator_operations (merchant_id, charge_id);
