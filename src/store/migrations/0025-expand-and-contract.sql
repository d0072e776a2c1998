-- expand
-- What a step needs: programs that know at least this schema version. 0 for steps that only add. The steps before
-- this one were made without that rule.
alter table schema_migrations add column min_program integer not null default 24;

-- How far a step that works in batches has come. The row is deleted with the last batch.
create table migration_progress (
  version integer primary key,
  -- Where the next batch begins: text that the step itself returned.
  cursor text,
  row_count bigint not null
);
