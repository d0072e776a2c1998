-- expand
-- By whom and with what a card was tried, until its issuer has decided. See card-attempts.ts.
alter table transaction_tokens add column limit_keys jsonb;
