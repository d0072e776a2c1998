-- expand
-- What people call an application token, and when a program last used it, to a few minutes.
alter table app_tokens add column name text, add column last_used_on timestamptz;
