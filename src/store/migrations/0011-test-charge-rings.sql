-- Every merchant has its ring from the start: a row that is there can be locked before it is counted on.
insert into test_charge_rings (merchant_id, position)
  select id, -1 from merchants on conflict do nothing;

create function add_test_charge_ring() returns trigger language plpgsql as $$
begin
  insert into test_charge_rings (merchant_id, position) values (new.id, -1);
  return null;
end $$;
create trigger merchants_have_a_ring after insert on merchants
  for each row execute function add_test_charge_ring();
