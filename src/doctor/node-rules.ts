import { sql } from 'kysely'
import { is_live } from '../store/nodes.ts'
import { type DataRule, findBroken } from '../store/sql/statements/data-rule.ts'

/** The machines that serve on the database now. */
export const node_rules: readonly DataRule[] = [
  {
    check: 'machines that serve share their short-lived state',
    advice:
      'serves beside others without shared state: limits multiply, and the others cannot open its ' +
      'security codes. Set SHARED_STATE_URL on every machine.',
    rule: (db) =>
      findBroken(
        db,
        sql`select host, version, shared_state from nodes where ${is_live}
            and shared_state = 'none' and (select count(*) from nodes where ${is_live}) > 1
            limit 10`,
      ),
  },
]
