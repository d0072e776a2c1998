-- What is paid out to a merchant: what it was owed in one mode and currency, from the books.
create table transfers (
  merchant_id uuid not null references merchants,
  id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  currency text not null,
  amount bigint not null check (amount > 0),
  -- Null as long as the merchant has none in this currency.
  bank_account_id uuid,
  "from" timestamptz not null,
  "to" timestamptz not null,
  status text not null check (status in ('created', 'approved', 'processing', 'paid', 'failed',
    'canceled')),
  error_text text,
  started_by text not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, id),
  check ("from" < "to")
);
create index transfers_by_end on transfers (merchant_id, mode, currency, "to");
create trigger transfers_status before update of status on transfers
  for each row when (old.status <> new.status) execute function refuse_illegal_status(
    '{"created": ["approved", "canceled"], "approved": ["processing", "canceled"],
      "processing": ["paid", "failed"]}');

create table transfer_status_changes (
  merchant_id uuid not null,
  id uuid not null,
  transfer_id uuid not null,
  old_status text not null,
  new_status text not null,
  reason text,
  created_on timestamptz not null,
  primary key (merchant_id, id)
);
create index transfer_status_changes_by_transfer on transfer_status_changes
  (merchant_id, transfer_id, id);
create trigger transfer_status_changes_are_final before update on transfer_status_changes
  for each row execute function refuse_change();

-- What a transfer pays. One that failed or was canceled gives its part of the books free.
create table transfer_ledgers (
  merchant_id uuid not null,
  transfer_id uuid not null,
  ledger_id uuid not null,
  freed boolean not null default false,
  primary key (merchant_id, transfer_id, ledger_id)
);
-- Nothing is paid twice: not only a lock sees to it.
create unique index transfer_ledgers_once on transfer_ledgers (merchant_id, ledger_id)
  where not freed;
create index transfer_ledgers_freed on transfer_ledgers (merchant_id, ledger_id) where freed;

-- The books know what was paid out, store by store; this part of them has no charge.
alter table ledger_transactions alter column charge_id drop not null,
  add column transfer_id uuid,
  drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in ('authorization', 'release',
    'capture', 'fee', 'conversion', 'refund', 'deposit', 'return', 'adjustment', 'payout')),
  add constraint ledger_transactions_owner check ((charge_id is null) = (kind = 'payout')
    and (transfer_id is null) = (kind <> 'payout'));
drop index ledger_transactions_once;
create unique index ledger_transactions_once on ledger_transactions
  (merchant_id, charge_id, kind, refund_id, deposit_id) nulls not distinct
  where kind not in ('adjustment', 'payout') and (kind <> 'deposit' or deposit_id is not null);
create unique index ledger_transactions_payout on ledger_transactions
  (merchant_id, transfer_id, store_id) where transfer_id is not null;

-- Another name of a token for a short time. Nobody can guess it.
create table token_aliases (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  transaction_token_id uuid not null,
  amount bigint check (amount > 0),
  currency text,
  metadata jsonb not null,
  valid_until timestamptz not null,
  created_on timestamptz not null,
  primary key (merchant_id, id)
);
create index token_aliases_by_end on token_aliases (valid_until);

-- Codes that were mailed to customers, who show with them that the address is theirs.
create table token_confirmations (
  merchant_id uuid not null,
  -- Of the token.
  id uuid not null,
  recipient text not null,
  code_hash bytea not null,
  -- How many codes were mailed, and how often the last one was tried.
  sent integer not null default 1,
  attempts integer not null default 0,
  expires_on timestamptz not null,
  primary key (merchant_id, id)
);
create index token_confirmations_by_recipient on token_confirmations (merchant_id, recipient);
create index token_confirmations_by_end on token_confirmations (expires_on);

-- What a merchant tells of itself to be verified.
create table verifications (
  merchant_id uuid not null references merchants,
  id uuid not null,
  -- Sealed: people and their numbers.
  data bytea not null,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  primary key (merchant_id, id)
);
alter table merchants add column verification_data_id uuid;
create unique index verifications_by_merchant on verifications (merchant_id);
