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

-- A row is found by the words in it, each with the end of its merchant's id, instead of by every three
-- letters of every merchant's. The program makes them (search-words.ts). What is here already gets
-- the same words where they are ASCII, and where not, a word begins at every letter.
drop index charges_search, refunds_search, subscriptions_search, transaction_tokens_search;
create function search_words_of(merchant_id uuid, given text) returns tsvector
  language sql immutable parallel safe as $$
  select array_to_tsvector(array_agg(distinct right(merchant_id::text, 5) || word))
  from (
    select left(substr(chunk, begin), case when substr(chunk, begin) ~ '^[ -~]' then 40 else 8 end)
    from (
      select place, regexp_replace(part, '^[!-/:-`{-~]+|[!-/:-`{-~]+$', '', 'g') as chunk
      from regexp_split_to_table(lower(normalize(given, nfkc)), '\s+')
        with ordinality as parts (part, place)
    ) as chunks
    cross join lateral generate_series(1, length(chunk)) as begin
    where substr(chunk, begin, 1) !~ '[!-/:-`{-~]' and (begin = 1
      or chunk !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      and chunk !~ '^[!-~]+@[a-z0-9-]+(\.[a-z0-9-]+)+$' and (
        substr(chunk, begin, 1) !~ '[ -~]' or substr(chunk, begin - 1, 1) !~ '[a-z0-9]'))
    order by place, begin
    limit 96
  ) as words (word)
$$;
alter table charges alter column search_text drop not null,
  alter column search_text type tsvector using search_words_of(merchant_id, search_text);
alter table refunds alter column search_text drop not null,
  alter column search_text type tsvector using search_words_of(merchant_id, search_text);
alter table subscriptions alter column search_text drop not null,
  alter column search_text type tsvector using search_words_of(merchant_id, search_text);
-- Tokens for one charge are never searched either.
alter table transaction_tokens alter column search_text drop not null,
  alter column search_text type tsvector
  using case when type <> 'one_time' then search_words_of(merchant_id, search_text) end;
drop function search_words_of(uuid, text);

-- How a search is planned depends on no statistics; so none are made.
alter table charges rename column search_text to search_words;
alter table charges alter column search_words set statistics 0;
alter table refunds rename column search_text to search_words;
alter table refunds alter column search_words set statistics 0;
alter table subscriptions rename column search_text to search_words;
alter table subscriptions alter column search_words set statistics 0;
alter table transaction_tokens rename column search_text to search_words;
alter table transaction_tokens alter column search_words set statistics 0;

-- New words wait in a list until a statement sorts them in. A short list is sorted in soon.
create index charges_search on charges using gin (search_words)
  with (gin_pending_list_limit = 256) where search_words is not null;
create index refunds_search on refunds using gin (search_words)
  with (gin_pending_list_limit = 256) where search_words is not null;
create index subscriptions_search on subscriptions using gin (search_words)
  with (gin_pending_list_limit = 256) where search_words is not null;
create index transaction_tokens_search on transaction_tokens using gin (search_words)
  with (gin_pending_list_limit = 256) where search_words is not null;
