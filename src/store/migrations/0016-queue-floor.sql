-- Where in the queue of events to begin. What was taken from it stays in its index until it is vacuumed,
-- and during a long backup it cannot be: who begins at the first entry walks over all of that each time.
alter table event_feed_end
  -- Everything that arrived up to here has been taken, or was rolled back.
  add column floor bigint not null default 0,
  -- That will hold for this number when every transaction before this one is over: who has drawn a
  -- smaller number, and has not committed it yet, had begun to write before.
  add column next_floor bigint not null default 0,
  add column next_floor_from xid8 not null default '0';
