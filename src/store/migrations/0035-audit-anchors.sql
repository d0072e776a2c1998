-- expand
-- A chain over the audit logs of all merchants: each entry names the newest line of one of them. Its newest entry is also
-- stored outside the database, so an older state of log and head that is put back is missed here. See audit-anchors.ts.
create table audit_anchors (
  number bigint not null primary key,
  merchant_id uuid not null,
  audit_number bigint not null,
  audit_hash bytea not null,
  created_on timestamptz not null,
  hash bytea not null
);
create index audit_anchors_by_merchant on audit_anchors (merchant_id, audit_number);
create trigger audit_anchors_are_append_only before update or delete on audit_anchors
  for each row execute function refuse_audit_change();
create trigger audit_anchors_are_never_emptied before truncate on audit_anchors
  for each statement execute function refuse_audit_change();
