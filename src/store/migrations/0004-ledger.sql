-- The books. Debits are positive, credits negative; every transaction sums to zero per currency.
-- Rows are only ever added, and the database itself sees to all of this.

create table ledger_transactions (
  merchant_id uuid not null,
  id uuid not null,
  store_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  origin text not null check (origin in ('charge', 'refund', 'cancel', 'manual')),
  kind text not null check (kind in ('authorization', 'release', 'capture', 'fee', 'conversion',
    'refund', 'deposit', 'adjustment')),
  charge_id uuid not null,
  refund_id uuid,
  note text,
  -- How many entries there are. Once they are written, none can be added later.
  lines smallint not null check (lines >= 2),
  created_on timestamptz not null,
  primary key (merchant_id, id),
  check (kind <> 'refund' or refund_id is not null)
);
create index ledger_transactions_by_charge on ledger_transactions (merchant_id, charge_id, id);
-- A charge is authorized, released, captured and charged its fee once, and each refund is paid
-- once: whatever went wrong before, nothing is entered a second time.
create unique index ledger_transactions_once on ledger_transactions
  (merchant_id, charge_id, kind, refund_id) nulls not distinct
  where kind not in ('deposit', 'adjustment');

create table ledger_entries (
  merchant_id uuid not null,
  transaction_id uuid not null,
  line smallint not null check (line >= 1),
  account text not null,
  currency text not null,
  amount bigint not null check (amount <> 0),
  primary key (merchant_id, transaction_id, line)
);

create table ledger_balances (
  merchant_id uuid not null,
  store_id uuid not null,
  mode text not null,
  account text not null,
  currency text not null,
  balance bigint not null,
  primary key (merchant_id, store_id, mode, account, currency)
);

create trigger ledger_transactions_are_final before update or delete or truncate
  on ledger_transactions for each statement execute function refuse_change();
create trigger ledger_entries_are_final before update or delete or truncate
  on ledger_entries for each statement execute function refuse_change();

-- Looked at when the transaction commits. It stands on the transaction and not on its entries: so
-- it runs once for all of them, and a transaction without any is refused too. An entry cannot get
-- past it, because an entry needs a free line of a transaction (see below), and a transaction
-- that was committed has none.
create function refuse_unbalanced() returns trigger language plpgsql
  set enable_seqscan = off as $$
declare
  written bigint;
  unbalanced text;
begin
  select coalesce(sum(lines), 0), string_agg(currency || ' by ' || total, ', ')
      filter (where total <> 0)
    into written, unbalanced
    from (select currency, count(*) as lines, sum(amount) as total from ledger_entries
      where merchant_id = new.merchant_id and transaction_id = new.id group by currency) as sums;
  if unbalanced is not null then
    raise exception 'ledger transaction % is out of balance: %', new.id, unbalanced
      using errcode = 'check_violation';
  end if;
  if written <> new.lines then
    raise exception 'ledger transaction % has % entries, not %', new.id, written, new.lines
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_transactions_balance after insert on ledger_transactions
  deferrable initially deferred for each row execute function refuse_unbalanced();

-- Balances follow the entries and nothing else writes them, so they cannot drift. They are taken
-- in the order of their key: two postings to the same accounts wait, but never for each other.
-- Each entry looks up its transaction by key. A session keeps the plan it made when the table was
-- small, so it must not be one that reads the whole table: hence `lateral … limit` and the setting.
create function follow_entries() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (
    select from added where not exists (
      select from ledger_transactions t where t.merchant_id = added.merchant_id
        and t.id = added.transaction_id and t.lines >= added.line limit 1)
  ) then
    raise exception 'a ledger entry belongs to a transaction that has room for it'
      using errcode = 'foreign_key_violation';
  end if;
  insert into ledger_balances as b (merchant_id, store_id, mode, account, currency, balance)
    select added.merchant_id, t.store_id, t.mode, added.account, added.currency,
      sum(added.amount)::bigint
    from added cross join lateral (
      select store_id, mode from ledger_transactions
      where merchant_id = added.merchant_id and id = added.transaction_id limit 1) as t
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (merchant_id, store_id, mode, account, currency)
    do update set balance = b.balance + excluded.balance;
  return null;
end $$;
create trigger ledger_entries_counted after insert on ledger_entries
  referencing new table as added for each statement execute function follow_entries();

-- Inside of the trigger above the depth is two; a statement from outside makes it one.
create function refuse_direct_change() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% follow their entries and are not written directly', tg_table_name;
  end if;
  return null;
end $$;
create trigger ledger_balances_follow before insert or update on ledger_balances
  for each statement execute function refuse_direct_change();
create trigger ledger_balances_stay before delete or truncate on ledger_balances
  for each statement execute function refuse_change();
