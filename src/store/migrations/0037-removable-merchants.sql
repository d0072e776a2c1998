-- expand
-- Merchants that exist for demonstration and may be removed as a whole, marked when they are created. The ledger
-- and the audit log of every other merchant are never deleted from: see remove-merchant.ts.
create table removable_merchants (
  merchant_id uuid not null references merchants,
  kind text not null check (kind in ('demo_shop')),
  created_on timestamptz not null,
  primary key (merchant_id)
);
create unique index removable_merchants_only_one on removable_merchants (kind) where kind = 'demo_shop';

create function refuse_late_mark() returns trigger language plpgsql as $$
begin
  if not exists (select from merchants m where m.id = new.merchant_id
      and m.xmin::text = (pg_current_xact_id()::text::numeric % 4294967296)::text) then
    raise exception 'a merchant is marked as removable when it is created, and not later';
  end if;
  return new;
end $$;
create trigger removable_merchants_are_new before insert on removable_merchants
  for each row execute function refuse_late_mark();
create trigger removable_merchants_stay_marked before update on removable_merchants
  for each row execute function refuse_change();

-- Whether this transaction removes the merchant, as its setting says, and the merchant is marked.
create function removes_merchant(merchant uuid) returns boolean language sql stable as $$
  select merchant::text = current_setting('kaikei.removes_merchant', true)
    and exists (select from removable_merchants r where r.merchant_id = merchant)
$$;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  -- The statement is let through, and each of its rows is checked below.
  if tg_op = 'DELETE' and tg_level = 'STATEMENT'
      and removes_merchant(nullif(current_setting('kaikei.removes_merchant', true), '')::uuid) then
    return null;
  end if;
  raise exception 'rows of % are never changed', tg_table_name;
end $$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' and tg_table_name = 'audit_log' then
    if removes_merchant(old.merchant_id) then return old; end if;
  end if;
  raise exception 'lines of the audit log are never changed';
end $$;

create function refuse_delete() returns trigger language plpgsql as $$
begin
  if removes_merchant(old.merchant_id) then return old; end if;
  raise exception 'rows of % are never deleted', tg_table_name;
end $$;
create trigger ledger_transactions_rows_stay before delete on ledger_transactions
  for each row execute function refuse_delete();
create trigger ledger_balances_rows_stay before delete on ledger_balances
  for each row execute function refuse_delete();
