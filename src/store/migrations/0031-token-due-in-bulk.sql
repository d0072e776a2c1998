-- expand
-- A charge purges the card of its one-time token when it is created. The due rows of all tokens of a statement are
-- deleted together, as those of charges are: a function that ran for each row cost more than its deletion.
create function follow_tokens_due() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
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
  return null;
end $$;
create or replace trigger transaction_tokens_due_from_update after update on transaction_tokens
  referencing new table as changed for each statement execute function follow_tokens_due();
