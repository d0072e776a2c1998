import { sql } from 'kysely'
import { type DataRule, findBroken, restore_advice } from '../../store/sql/statements/data-rule.ts'

/** What must hold of settlements and their part of the ledger. */
export const settlement_rules: readonly DataRule[] = [
  {
    check: 'the ledger has settled exactly what the matched lines of providers say',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with matched as (
              select merchant_id, currency, sum(amount) as amount from settlement_lines
              where status = 'matched' group by 1, 2
            ), settled as (
              select merchant_id, currency, sum(amount) as amount from ledger_entries
              where account = 'provider_settled' group by 1, 2)
            select merchant_id, currency, m.amount::text as lines, s.amount::text as settled
            from matched m full join settled s using (merchant_id, currency)
            where coalesce(m.amount, 0) <> coalesce(s.amount, 0) limit 10`,
      ),
  },
]
