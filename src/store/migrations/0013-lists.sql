-- Lists and searches whose cost does not grow with the tables; docs/large-tables.md says which index
-- serves which of them. Nothing here has a column that a payment changes after it was made.

-- A store's credential sees one mode, and most lists are of one.
drop index charges_by_store, refunds_by_store, subscriptions_by_store;
create index charges_by_store on charges (merchant_id, store_id, mode, id);
create index refunds_by_store on refunds (merchant_id, store_id, mode, id);
create index subscriptions_by_store on subscriptions (merchant_id, store_id, mode, id);
-- A merchant's credential sees both. What was tried in test mode lies behind all that came later.
create index charges_in_test on charges (merchant_id, id) where mode = 'test';

create index refunds_by_status on refunds (merchant_id, status, id);
create index subscriptions_by_status on subscriptions (merchant_id, status, id);

-- Tokens for one charge are never listed, and are most of them.
drop index transaction_tokens_by_store;
create index transaction_tokens_listed on transaction_tokens (merchant_id, id)
  where type <> 'one_time';
create index transaction_tokens_by_store on transaction_tokens (merchant_id, store_id, mode, id)
  where type <> 'one_time';

-- Trigrams are made of letters and digits, and whether a letter beyond ASCII is one depends on the
-- server; so each is written as three that are. Two signs may become the same: what is found is
-- compared with the text itself as well.
create function search_code(given text) returns text language plpgsql
  immutable strict parallel safe as $$
begin
  if octet_length(given) = length(given) then
    return given;
  end if;
  return (select string_agg(case when code < 128 then letter else chr(97 + code % 26)
      || chr(97 + code / 26 % 26) || chr(97 + code / 676 % 26) end, '' order by place)
    from (select letter, place, ascii(letter) as code
      from unnest(string_to_array(given, null)) with ordinality as l (letter, place)) as letters);
end $$;

drop index charges_search, refunds_search, subscriptions_search, transaction_tokens_search;
create index charges_search on charges using gin (search_code(search_text) gin_trgm_ops);
create index refunds_search on refunds using gin (search_code(search_text) gin_trgm_ops);
create index subscriptions_search on subscriptions
  using gin (search_code(search_text) gin_trgm_ops);
create index transaction_tokens_search on transaction_tokens
  using gin (search_code(search_text) gin_trgm_ops) where type <> 'one_time';

-- The sample by which it is judged whether a term is frequent.
alter table charges alter column search_text set statistics 400;
alter table refunds alter column search_text set statistics 400;
alter table subscriptions alter column search_text set statistics 400;
alter table transaction_tokens alter column search_text set statistics 400;
alter index charges_search alter column 1 set statistics 400;
alter index refunds_search alter column 1 set statistics 400;
alter index subscriptions_search alter column 1 set statistics 400;
alter index transaction_tokens_search alter column 1 set statistics 400;
