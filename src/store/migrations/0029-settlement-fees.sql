-- expand
-- What a provider has kept of a line for itself, where its settlement says so: see docs/decisions/039.
alter table settlement_lines add column fee_amount bigint;
