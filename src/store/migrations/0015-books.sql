-- A ledger transaction and its lines are one row. It is written once, so it can neither lack a line nor
-- get another later, and no line is without its transaction. `ledger_entries` shows the lines as before.
-- First of all nobody may write to them any more: what was committed after it was read would be lost.
lock table ledger_transactions, ledger_entries in access exclusive mode;
create temporary table books on commit drop as
  select t.*, e.accounts, e.currencies, e.amounts
  from ledger_transactions t cross join lateral (
    select array_agg(account order by line) as accounts, array_agg(currency order by line) as currencies,
      array_agg(amount order by line) as amounts
    from ledger_entries where merchant_id = t.merchant_id and transaction_id = t.id) as e;
drop table ledger_entries, ledger_transactions;
drop function refuse_unbalanced(), follow_entries();

create table ledger_transactions (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  origin text not null check (origin in ('charge', 'refund', 'cancel', 'manual')),
  kind text not null check (kind in ('authorization', 'release', 'capture', 'fee', 'conversion',
    'refund', 'deposit', 'return', 'adjustment', 'payout')),
  charge_id uuid,
  refund_id uuid,
  deposit_id uuid,
  transfer_id uuid,
  note text,
  -- The lines: an account, a currency and an amount each, in their order.
  accounts text[] not null,
  currencies text[] not null,
  amounts bigint[] not null,
  created_on timestamptz not null,
  primary key (merchant_id, id),
  check (kind <> 'refund' or refund_id is not null),
  constraint ledger_transactions_owner check ((charge_id is null) = (kind = 'payout')
    and (transfer_id is null) = (kind <> 'payout')),
  constraint ledger_transactions_lines check (cardinality(accounts) >= 2
    and cardinality(currencies) = cardinality(accounts)
    and cardinality(amounts) = cardinality(accounts)
    and array_position(accounts, null) is null and array_position(currencies, null) is null
    and array_position(amounts, null) is null and 0 <> all (amounts))
);
insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind, charge_id, refund_id,
    deposit_id, transfer_id, note, accounts, currencies, amounts, created_on)
  select merchant_id, id, store_id, mode, origin, kind, charge_id, refund_id,
    deposit_id, transfer_id, note, accounts, currencies, amounts, created_on from books;
-- A charge is authorized, released, captured and charged its fee once, and each refund and deposit is
-- entered once. What may come more than once has its own id there. The books of a charge are found by it.
create unique index ledger_transactions_once on ledger_transactions
  (merchant_id, charge_id, kind, refund_id, deposit_id, (case when kind in ('adjustment', 'payout')
    or (kind = 'deposit' and deposit_id is null) then id end)) nulls not distinct;
create unique index ledger_transactions_payout on ledger_transactions
  (merchant_id, transfer_id, store_id) where transfer_id is not null;

create view ledger_entries as
  select t.merchant_id, t.id as transaction_id, l.line::integer, l.account, l.currency, l.amount,
    t.store_id, t.mode, t.kind, t.charge_id, t.deposit_id, t.transfer_id, t.created_on
  from ledger_transactions t cross join lateral unnest(t.accounts, t.currencies, t.amounts)
    with ordinality as l (account, currency, amount, line);

create trigger ledger_transactions_are_final before update or delete or truncate
  on ledger_transactions for each statement execute function refuse_change();

-- Balances follow the lines and nothing else writes them, so they cannot drift. They are taken in the
-- order of their key: two postings to the same accounts wait, but never for each other.
create function follow_lines() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  with lines as materialized (
    select a.merchant_id, a.id, a.store_id, a.mode, l.account, l.currency, l.amount
    from added a cross join lateral unnest(a.accounts, a.currencies, a.amounts)
      as l (account, currency, amount)
  ), counted as (
    insert into ledger_balances as b (merchant_id, store_id, mode, account, currency, balance)
    select merchant_id, store_id, mode, account, currency, sum(amount)::bigint
    from lines group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (merchant_id, store_id, mode, account, currency)
    do update set balance = b.balance + excluded.balance
  )
  select id, currency, sum(amount) as total into wrong
    from lines group by merchant_id, id, currency having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'ledger transaction % is out of balance: % by %',
      wrong.id, wrong.currency, wrong.total using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_transactions_counted after insert on ledger_transactions
  referencing new table as added for each statement execute function follow_lines();

-- Rows that every payment of a merchant changes: with room on their page that writes no index entry.
alter table ledger_balances set (fillfactor = 50);
alter table test_charge_rings set (fillfactor = 50);
analyze ledger_transactions;
