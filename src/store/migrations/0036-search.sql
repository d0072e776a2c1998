-- expand, concurrently
-- The search of the console: amounts, and ids by the end that people see of them. Neither changes after creation, so
-- changes of a charge stay heap-only.
create index concurrently charges_by_amount on charges (merchant_id, mode, requested_amount, id);
create index concurrently charges_by_id_end on charges (merchant_id, reverse(right(id::text, 12)) collate "C");
create index concurrently refunds_by_amount on refunds (merchant_id, mode, amount, id);
create index concurrently refunds_by_id_end on refunds (merchant_id, reverse(right(id::text, 12)) collate "C");
create index concurrently subscriptions_by_amount on subscriptions (merchant_id, mode, amount, id);
create index concurrently subscriptions_by_id_end
  on subscriptions (merchant_id, reverse(right(id::text, 12)) collate "C");
create index concurrently customers_by_id_end on customers (merchant_id, reverse(right(id::text, 12)) collate "C");
create index concurrently checkout_sessions_by_id_end
  on checkout_sessions (merchant_id, reverse(right(id::text, 12)) collate "C");
create index concurrently checkout_sessions_by_charge on checkout_sessions (merchant_id, charge_id)
  where charge_id is not null;
create index concurrently deposits_by_name on deposits (merchant_id, mode, lower(normalize(name, nfkc)) collate "C", id)
  where name is not null;
