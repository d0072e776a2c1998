-- Every merchant has its ring from the start: a row that is there can be locked before it is counted on.
insert into test_charge_rings (merchant_id, position)
  select id, -1 from merchants on conflict do nothing;
