-- expand, concurrently
-- A notification may name a decided payment by the provider's reference alone, as that of a dispute does. Payments in test
-- mode are not looked for: their simulator is part of this program, and they are the most.
create index concurrently provider_operations_by_decided_payment
  on provider_operations (provider, provider_reference)
  where kind = 'authorize' and outcome = 'approved' and provider_reference is not null
    and provider not in ('card_simulator', 'customer_simulator');
