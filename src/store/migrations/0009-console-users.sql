-- People who sign in to the console. An e-mail names one user of the whole service, because signing
-- in asks for nothing else.
create table users (
  merchant_id uuid not null references merchants,
  id uuid not null,
  email text not null check (email = lower(email)),
  name text not null,
  role text not null check (role in ('owner', 'staff')),
  lang text not null check (lang in ('en', 'ja')),
  -- Null until the user has chosen one.
  password_hash text,
  -- Tries since the last one that was right; the tenth locks.
  failures integer not null default 0,
  locked_until timestamptz,
  -- Sealed. The new one counts when a code of it was shown.
  totp_secret bytea,
  totp_new_secret bytea,
  -- The newest code that was used: it and older ones are not taken again.
  totp_step integer not null default 0,
  recovery_hashes bytea[] not null default '{}',
  created_on timestamptz not null,
  updated_on timestamptz not null,
  disabled_on timestamptz,
  primary key (merchant_id, id)
);
create unique index users_by_email on users (email) where disabled_on is null;

create table user_sessions (
  merchant_id uuid not null,
  -- Made of the jti of its login tokens, which is stored nowhere.
  id uuid not null,
  user_id uuid not null,
  -- Whether the user has shown more than a password.
  second_factor boolean not null,
  ip_address text not null,
  created_on timestamptz not null,
  used_on timestamptz not null,
  expires_on timestamptz not null,
  ended_on timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, user_id) references users
);
create index user_sessions_by_user on user_sessions (merchant_id, user_id) where ended_on is null;
create index user_sessions_by_end on user_sessions (expires_on);

-- Links with which a user chooses a password, once each.
create table password_links (
  merchant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  asked_by text not null check (asked_by in ('user', 'operator')),
  created_on timestamptz not null,
  expires_on timestamptz not null,
  used_on timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, user_id) references users
);
create unique index password_links_by_token on password_links (token_hash);
create index password_links_by_time on password_links (merchant_id, created_on);
create index password_links_by_end on password_links (expires_on);

-- Somebody has forgotten a password, or says so. Whether there is such a user is looked up later, so
-- that the answer cannot tell; the merchant is therefore not known and a zero.
create table password_reset_requests (
  merchant_id uuid not null,
  id uuid not null,
  email text not null,
  created_on timestamptz not null,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id)
);
create index password_reset_requests_by_email on password_reset_requests (email, created_on);
create index password_reset_requests_by_time on password_reset_requests (created_on);
create index password_reset_requests_due on password_reset_requests (due_on)
  where due_on is not null;

create table mails (
  merchant_id uuid not null,
  id uuid not null,
  recipient text not null,
  -- Sealed, because it may hold a link; gone when it was sent or given up.
  body bytea,
  created_on timestamptz not null,
  sent_on timestamptz,
  due_on timestamptz,
  claims integer not null default 0,
  primary key (merchant_id, id),
  check ((due_on is null) = (body is null))
);
create index mails_due on mails (due_on) where due_on is not null;
create index mails_by_time on mails (created_on) where due_on is null;
