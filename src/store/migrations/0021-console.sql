-- The console: sessions in a cookie, more roles, links that sign in once, and the audit log.

alter table users drop constraint users_role_check;
alter table users
  add constraint users_role_check check (role in ('owner', 'developer', 'staff', 'viewer')),
  -- Operates the installation: sees every merchant, with a second factor only.
  add column is_operator boolean not null default false;

alter table user_sessions
  -- How its token is sent: in the header Authorization, or in the cookie of the console. Never both.
  add column via text not null default 'token' check (via in ('token', 'cookie')),
  add column user_agent text not null default '',
  -- Until then the user has just shown a code or the password again.
  add column confirmed_until timestamptz;

-- Links that sign a user in, once each. Only the operator's machine creates them.
create table console_links (
  merchant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_on timestamptz not null,
  expires_on timestamptz not null,
  used_on timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, user_id) references users
);
create unique index console_links_by_token on console_links (token_hash);
create index console_links_by_end on console_links (expires_on);

-- What users did. The lines of a merchant are numbered, and each contains a keyed hash of itself and of
-- the line before: without the key, no line can be changed, removed or moved unnoticed.
create table audit_log (
  merchant_id uuid not null references merchants,
  id uuid not null,
  number bigint not null,
  -- An action is a line before it runs and a line about its outcome; both have the id of the first.
  action_id uuid not null,
  kind text not null check (kind in ('begun', 'ended', 'refused', 'signed_in', 'sign_in_failed')),
  user_id uuid not null,
  session_id uuid,
  action text not null,
  resource_id uuid,
  -- `json`, not `jsonb`: the text that was hashed stays as it was written.
  details json not null,
  created_on timestamptz not null,
  hash bytea not null,
  primary key (merchant_id, id)
);
create unique index audit_log_by_number on audit_log (merchant_id, number);
create index audit_log_by_user on audit_log (merchant_id, user_id, id);
create index audit_log_by_action on audit_log (merchant_id, action, id);
create index audit_log_by_resource on audit_log (merchant_id, resource_id, id)
  where resource_id is not null;

-- The last line of each merchant, sealed with the key too: lines that are cut off are missed.
create table audit_heads (
  merchant_id uuid not null references merchants,
  number bigint not null,
  hash bytea not null,
  seal bytea not null,
  primary key (merchant_id)
);

-- Runs of the checks of `doctor` that an operator started; findings when it has ended.
create table doctor_runs (
  merchant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  started_on timestamptz not null,
  finished_on timestamptz,
  findings json,
  primary key (merchant_id, id)
);
create index doctor_runs_by_time on doctor_runs (id);

-- Operators list the transfers of all merchants.
create index transfers_by_id on transfers (id);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'lines of the audit log are never changed';
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_is_never_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();
