-- The tables that say when a row is due, as before, at less cost.
-- A session keeps the plan that it made when a table was small: joined the other way round it would
-- read everything that is due to find a few rows. So each row looks up its own (`lateral … limit`);
-- nobody else changes it meanwhile, because the row that it belongs to is locked. And most updates
-- leave that as it is: then it is only looked at, and not locked, which would be written to the log.
create or replace function follow_due() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_table_name = 'charges' and tg_op = 'INSERT' then
    insert into charges_due (merchant_id, id, mode, due_on)
      select merchant_id, id, mode, due_on from changed where due_on is not null;
  elsif tg_table_name = 'charges' then
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
  elsif tg_table_name = 'transaction_tokens' and tg_op = 'INSERT' then
    insert into transaction_tokens_due (merchant_id, id, mode, due_on)
      select merchant_id, id, mode, due_on from changed where due_on is not null;
  elsif tg_table_name = 'transaction_tokens' then
    delete from transaction_tokens_due where ctid = any (array(
      select d.place from changed c cross join lateral (
        select k.ctid as place from transaction_tokens_due k
        where k.merchant_id = c.merchant_id and k.id = c.id limit 1) as d
      where c.due_on is null));
    insert into transaction_tokens_due (merchant_id, id, mode, due_on)
      select c.merchant_id, c.id, c.mode, c.due_on from changed c left join lateral (
        select k.due_on from transaction_tokens_due k
        where k.merchant_id = c.merchant_id and k.id = c.id limit 1) as d on true
      where c.due_on is not null and c.due_on is distinct from d.due_on
      on conflict (merchant_id, id) do update set due_on = excluded.due_on;
  end if;
  return null;
end $$;
