-- The account at the provider is decided once, as the provider is: credentials that a store gets later are not
-- those that an earlier payment was taken with.
alter table charges add column provider_credentials_id uuid;

-- Of the hints about one resource that no worker has claimed yet, one is enough.
delete from provider_notifications n using provider_notifications first
  where n.merchant_id = first.merchant_id and n.resource_id = first.resource_id
    and n.claims = 0 and first.claims = 0 and n.id > first.id;
create unique index provider_notifications_once on provider_notifications (merchant_id, resource_id)
  where claims = 0;

-- How many test charges a merchant may make is written in the program alone: a new merchant has none counted
-- yet, and its first test charge counts them.
create or replace function add_test_charge_count() returns trigger language plpgsql as $$
begin
  insert into test_charge_counts (merchant_id, free) values (new.id, 0);
  return null;
end $$;
