-- The console: the tables of this number come with its sessions.
select 1;
