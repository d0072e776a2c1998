-- What a payment writes, once for each of its steps. An update that changes no indexed column, on a
-- page that has room, writes no index entry at all; a charge has eight indexes and a token four. So
-- what changes with every step stands in no index, and pages are left with room: half of a page, since
-- the rows of a page are settled soon after each other.
alter table charges set (fillfactor = 50);
alter table transaction_tokens set (fillfactor = 55);

-- When a row is due is looked for in a small table beside it. `due_on` of the row itself is what
-- counts; these follow it, as an index would.
drop index charges_due, charges_due_in_test;
drop index transaction_tokens_due, transaction_tokens_due_in_test;
create table charges_due (
  merchant_id uuid not null,
  id uuid not null,
  mode text not null,
  due_on timestamptz not null,
  primary key (merchant_id, id)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index charges_due_by_time on charges_due (due_on);
create table transaction_tokens_due (like charges_due including all);

-- The argument is the table that follows. No plan of a session may read a whole table.
create function follow_due() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op = 'UPDATE' then
    if tg_table_name = 'charges' then
      delete from charges_due d using changed c
        where d.merchant_id = c.merchant_id and d.id = c.id and c.due_on is null;
    else
      delete from transaction_tokens_due d using changed c
        where d.merchant_id = c.merchant_id and d.id = c.id and c.due_on is null;
    end if;
  end if;
  if tg_table_name = 'charges' then
    insert into charges_due as d (merchant_id, id, mode, due_on)
      select merchant_id, id, mode, due_on from changed where due_on is not null
      on conflict (merchant_id, id) do update set due_on = excluded.due_on
        where d.due_on <> excluded.due_on;
  else
    insert into transaction_tokens_due as d (merchant_id, id, mode, due_on)
      select merchant_id, id, mode, due_on from changed where due_on is not null
      on conflict (merchant_id, id) do update set due_on = excluded.due_on
        where d.due_on <> excluded.due_on;
  end if;
  return null;
end $$;
create trigger charges_due_from_insert after insert on charges
  referencing new table as changed for each statement execute function follow_due();
create trigger charges_due_from_update after update on charges
  referencing new table as changed for each statement execute function follow_due();
create trigger transaction_tokens_due_from_insert after insert on transaction_tokens
  referencing new table as changed for each statement execute function follow_due();
create trigger transaction_tokens_due_from_update after update on transaction_tokens
  referencing new table as changed for each statement execute function follow_due();
insert into charges_due select merchant_id, id, mode, due_on from charges where due_on is not null;
insert into transaction_tokens_due
  select merchant_id, id, mode, due_on from transaction_tokens where due_on is not null;

-- Never two charges of one payment at the same time, without the status in an index.
drop index charges_one_open_for_payment;
alter table charges add column open_payment_id uuid generated always as
  (case when status in ('pending', 'awaiting', 'authorized') then payment_id end) stored;
create unique index charges_one_open_for_payment on charges (merchant_id, open_payment_id)
  where open_payment_id is not null;

-- The books are checked once for a statement instead of once for a row when the transaction commits.
-- A ledger transaction and all of its entries are written by one statement.
drop trigger ledger_transactions_balance on ledger_transactions;
drop function refuse_unbalanced();
create function refuse_unbalanced() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  wrong record;
begin
  select added.id, added.lines, sums.written, sums.unbalanced into wrong
    from added cross join lateral (
      select coalesce(sum(written), 0) as written,
        string_agg(currency || ' by ' || total, ', ') filter (where total <> 0) as unbalanced
      from (select currency, count(*) as written, sum(amount) as total from ledger_entries
        where merchant_id = added.merchant_id and transaction_id = added.id
        group by currency) as by_currency) as sums
    where sums.unbalanced is not null or sums.written <> added.lines
    limit 1;
  if wrong.unbalanced is not null then
    raise exception 'ledger transaction % is out of balance: %', wrong.id, wrong.unbalanced
      using errcode = 'check_violation';
  elsif wrong.id is not null then
    raise exception 'ledger transaction % has % entries, not %', wrong.id, wrong.written, wrong.lines
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_transactions_balance after insert on ledger_transactions
  referencing new table as added for each statement execute function refuse_unbalanced();

-- Each entry looks up its transaction once, for both of its questions.
create or replace function follow_entries() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  homeless boolean;
begin
  with owned as materialized (
    select added.merchant_id, t.store_id, t.mode, added.account, added.currency, added.amount
    from added left join lateral (
      select store_id, mode from ledger_transactions
      where merchant_id = added.merchant_id and id = added.transaction_id and lines >= added.line
      limit 1) as t on true
  ), counted as (
    insert into ledger_balances as b (merchant_id, store_id, mode, account, currency, balance)
    select merchant_id, store_id, mode, account, currency, sum(amount)::bigint
    from owned where store_id is not null
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (merchant_id, store_id, mode, account, currency)
    do update set balance = b.balance + excluded.balance
  )
  select exists (select from owned where store_id is null) into homeless;
  if homeless then
    raise exception 'a ledger entry belongs to a transaction that has room for it'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- The life of a charge as before; a change that is allowed calls no function.
drop trigger charges_status on charges;
create trigger charges_status before update of status on charges
  for each row when (old.status <> new.status and not case old.status
    when 'pending' then new.status in ('successful', 'authorized', 'awaiting', 'failed', 'error')
    when 'awaiting' then new.status in ('successful', 'authorized', 'failed', 'error', 'canceled')
    when 'authorized' then new.status in ('successful', 'canceled', 'failed')
    else false end)
  execute function refuse_illegal_status('{}');

-- The queue of events is read by arrival alone.
alter table event_queue drop constraint event_queue_pkey, add primary key using index
  event_queue_by_arrival;
