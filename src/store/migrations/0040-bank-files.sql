-- expand
-- Files of transfers for the bank of the operator. A transfer is in one file at most; its line has the number of an
-- account and is sealed.
create table bank_files (
  id uuid primary key,
  mode text not null check (mode in ('test', 'live')),
  day date not null,
  header text not null,
  line_end text not null check (line_end in ('crlf', 'none')),
  transfers integer not null,
  total bigint not null,
  sha256 text not null,
  created_on timestamptz not null
);
create trigger bank_files_stay before update or delete on bank_files
  for each row execute function refuse_change();

create table bank_file_lines (
  merchant_id uuid not null,
  id uuid not null,
  bank_file_id uuid not null references bank_files,
  position integer not null,
  line bytea not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, id) references transfers
);
create unique index bank_file_lines_in_order on bank_file_lines (bank_file_id, position);
