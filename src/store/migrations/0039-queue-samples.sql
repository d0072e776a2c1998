-- expand
-- How much was due, and for how long the oldest of it: every queue, each time that a worker measures them.
create table queue_samples (
  sampled_on timestamptz not null,
  queue text not null,
  due integer not null,
  waited_ms bigint not null,
  primary key (sampled_on, queue)
);
