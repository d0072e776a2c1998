-- Less to write for a charge.

-- How many test charges a merchant may still make is counted down, and counted anew from the charges
-- themselves when nothing is left: time only adds to it. Before, each charge had a place in a ring.
create table test_charge_counts (
  merchant_id uuid primary key,
  -- At least so many may be made without counting again, from this moment on.
  free integer not null check (free >= 0),
  counted_on timestamptz not null default 'epoch',
  -- When nothing was free: until then nothing will be.
  full_until timestamptz
) with (fillfactor = 50);
drop trigger merchants_have_a_ring on merchants;
drop function add_test_charge_ring();
drop table test_charge_rings, test_charge_slots;

-- Every merchant has its count from the start: a row that is there can be locked before it is counted on.
-- A new one has made none yet.
create function add_test_charge_count() returns trigger language plpgsql as $$
begin
  insert into test_charge_counts (merchant_id, free) values (new.id, 1440);
  return null;
end $$;
create trigger merchants_have_a_count after insert on merchants
  for each row execute function add_test_charge_count();

-- Who made a merchant meanwhile has been waited for.
insert into test_charge_counts (merchant_id, free) select id, 0 from merchants;

-- Most changes of a token leave the time when it is due as it is; then nothing is called.
drop trigger transaction_tokens_due_from_update on transaction_tokens;
create function follow_token_due() returns trigger language plpgsql as $$
begin
  if new.due_on is null then
    delete from transaction_tokens_due where merchant_id = new.merchant_id and id = new.id;
  else
    insert into transaction_tokens_due (merchant_id, id, mode, due_on)
      values (new.merchant_id, new.id, new.mode, new.due_on)
      on conflict (merchant_id, id) do update set due_on = excluded.due_on;
  end if;
  return null;
end $$;
create trigger transaction_tokens_due_from_update after update of due_on on transaction_tokens
  for each row when (old.due_on is distinct from new.due_on) execute function follow_token_due();

create or replace function follow_due() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_table_name = 'transaction_tokens' then
    insert into transaction_tokens_due (merchant_id, id, mode, due_on)
      select merchant_id, id, mode, due_on from changed where due_on is not null;
  elsif tg_op = 'INSERT' then
    insert into charges_due (merchant_id, id, mode, due_on)
      select merchant_id, id, mode, due_on from changed where due_on is not null;
  else
    delete from charges_due where ctid = any (array(
      select d.place from changed c cross join lateral (
        select k.ctid as place from charges_due k
        where k.merchant_id = c.merchant_id and k.id = c.id limit 1) as d
      where c.due_on is null));
    insert into charges_due (merchant_id, id, mode, due_on)
      select c.merchant_id, c.id, c.mode, c.due_on from changed c left join lateral (
        select k.due_on from charges_due k
        where k.merchant_id = c.merchant_id and k.id = c.id limit 1) as d on true
      where c.due_on is not null and c.due_on is distinct from d.due_on
      on conflict (merchant_id, id) do update set due_on = excluded.due_on;
  end if;
  return null;
end $$;

-- The events of one statement stand in the queue as one row, in their order.
alter table event_queue add column merchant_ids uuid[], add column event_ids uuid[];
update event_queue set merchant_ids = array[merchant_id], event_ids = array[event_id];
alter table event_queue drop column merchant_id, drop column event_id,
  alter column merchant_ids set not null, alter column event_ids set not null,
  add check (cardinality(merchant_ids) = cardinality(event_ids));
