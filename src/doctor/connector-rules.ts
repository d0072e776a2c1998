import { sql } from 'kysely'
import { connector_kinds } from '../connectors/connectors.ts'
import { type DataRule, findBroken } from '../store/sql/statements/data-rule.ts'

/** A connector that answers none of so many new payments is out of order, or its settings are wrong. */
const min_calls = 5

/** What live payments need; settings that cannot be opened are found with all other sealed values. */
export const connector_rules: readonly DataRule[] = [
  {
    check: 'this release knows the kind of every connector',
    advice:
      'is of a kind that this release does not have: its payments wait. Install one that has it.',
    rule: (db) => {
      const kinds = connector_kinds.map(({ kind }) => kind)
      return findBroken(
        db,
        sql`select name, kind from connectors where kind <> all(${kinds}::text[]) limit 10`,
      )
    },
  },
  {
    check: 'routing rules name connectors that take payments',
    advice: 'is passed over. Enable its connector, or remove the rule (`kaikei routes`).',
    rule: (db) =>
      findBroken(
        db,
        sql`select r.merchant_id, r.position, r.connector, c.disabled_on
            from routing_rules r left join connectors c on c.name = r.connector
            where c.name is null or c.disabled_on is not null limit 10`,
      ),
  },
  {
    check: 'connectors answer new payments',
    advice: 'answered nothing in the last ten minutes. Run `kaikei connectors test`.',
    rule: (db) =>
      findBroken(
        db,
        sql`select o.provider as connector, count(*)::integer as calls
            from provider_operations o join connectors c on c.name = o.provider
            where o.started_on > now() - interval '10 minutes' and o.kind = 'authorize'
              and not o.is_inquiry and o.finished_on is not null
            group by 1 having count(*) >= ${min_calls}
              and count(*) filter (where o.outcome in ('approved', 'refused', 'waiting')) = 0
            limit 10`,
      ),
  },
]
