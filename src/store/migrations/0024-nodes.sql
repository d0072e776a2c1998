-- The machines that serve on this database. Each updates its row every few seconds; one that has not done so
-- for a while is gone.
create table nodes (
  -- The same after a restart of the program in the same folder of the same machine.
  id text primary key,
  host text not null,
  version text not null,
  schema_version integer not null,
  -- Where it has what machines must share for seconds: in a server, on each machine, or it expects no other.
  shared_state text not null check (shared_state in ('server', 'per_machine', 'none')),
  started_on timestamptz not null default now(),
  seen_on timestamptz not null default now()
);
