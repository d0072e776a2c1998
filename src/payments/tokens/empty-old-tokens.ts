import { firstIdAt } from '../../core/ids.ts'
import { day_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'
import { walkMerchants } from '../../store/sql/reads/walk-merchants.ts'
import { run } from '../../store/sql/statements/statement.ts'
import type { BillingData } from '../../store/tables/payments/token-data.ts'

const no_billing: BillingData = {
  line1: null,
  line2: null,
  state: null,
  city: null,
  country: null,
  zip: null,
  phone_number: null,
}

/** What a payment type may have stored, and what remains of it. */
const emptied_data = { billing: no_billing, shipping_address: null, user_identifier: null } as const
const emptied = Object.entries(emptied_data).map(
  ([
    name,
    value,
  ]) => `case when t.data ? '${name}' then '${JSON.stringify({ [name]: value })}'::jsonb
    else '{}' end`,
)

/** The next tokens of each merchant, in their order; the last of them is where the next run goes on. */
const empty_tokens = `
  with next as (
    select m.id as merchant_id, t.id, t.type
    from unnest($1::uuid[]) as m (id)
    left join token_retention r on r.merchant_id = m.id
    cross join lateral (
      select id, type from transaction_tokens where merchant_id = m.id
        and id > coalesce(r.emptied_up_to, '00000000-0000-0000-0000-000000000000') and id < $2
      order by id limit $3) as t
    limit $3
  ), emptied as (
    update transaction_tokens t set email = null, ip_address = null, metadata = '{}',
      authentication = null, data = t.data || ${emptied.join(' || ')}
    from next n where t.merchant_id = n.merchant_id and t.id = n.id and n.type = 'one_time'
  ), moved as (
    insert into token_retention (merchant_id, emptied_up_to)
    select distinct on (merchant_id) merchant_id, id from next order by merchant_id, id desc
    on conflict (merchant_id) do update set emptied_up_to = excluded.emptied_up_to
  )
  select count(*)::integer as count from next`

/**
 * Removes e-mail, addresses and metadata from tokens for one charge past their retention. The rows stay:
 * charges refer to them, and have what they show of the payer themselves.
 */
export async function emptyOldTokens(
  { db, wall_clock, config }: Service,
  max_rows: number,
): Promise<number> {
  const now_ms = wall_clock.now()
  const before = firstIdAt(now_ms - config.one_time_tokens_days * day_ms)
  return walkMerchants(db, 'transaction_tokens', now_ms, max_rows, async (ids) => {
    const [found] = await run<{ count: number }>(db, empty_tokens, [ids, before, max_rows])
    return found?.count ?? 0
  })
}
