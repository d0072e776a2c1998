-- The account at the provider is decided once, as the provider is: credentials that a store gets later are not
-- those that an earlier payment was taken with.
alter table charges add column provider_credentials_id uuid;

-- Of the hints about one resource that no worker has claimed yet, one is enough.
delete from provider_notifications n using provider_notifications first
  where n.merchant_id = first.merchant_id and n.resource_id = first.resource_id
    and n.claims = 0 and first.claims = 0 and n.id > first.id;
create unique index provider_notifications_once on provider_notifications (merchant_id, resource_id)
  where claims = 0;
