import { sql } from 'kysely'
import { type KnownAnchor, rememberedAnchor } from '../accounts/audit/audit-anchors.ts'
import type { Config } from '../config.ts'
import { resource_limits } from '../core/limits/limits.ts'
import { ledger_rules } from '../ledger/balances.ts'
import {
  type DataRule,
  faultText,
  findBroken,
  restore_advice,
} from '../store/sql/statements/data-rule.ts'
import type { Db } from '../store/tables/db.ts'
import type { Finding } from '../store/tables/finding.ts'
import { keyFaults, knowsKeys } from '../vault/check-keys.ts'
import { oldCvvKeys } from '../vault/cvv-keys.ts'
import { KeyError, MissingKeyFile } from '../vault/key-file.ts'
import { type Keys, readKeys } from '../vault/key-ring.ts'
import { isEmpty } from '../vault/open-keys.ts'
import { sealedFaults } from '../vault/sealed-values.ts'
import { activity_rules } from './activity-rules.ts'
import { auditFaults } from './audit-rules.ts'
import { connector_rules } from './connector-rules.ts'
import { event_rules, hasEvents } from './event-rules.ts'
import { batch_rules } from './money-rules/batch-rules.ts'
import { dispute_rules } from './money-rules/dispute-rules.ts'
import { payment_rules } from './money-rules/payment-rules.ts'
import { settlement_rules } from './money-rules/settlement-rules.ts'
import { transfer_rules } from './money-rules/transfer-rules.ts'
import { node_rules } from './node-rules.ts'
import { stuck_work_rules } from './stuck-work-rules.ts'

/** What is wrong in the data. The rules run at the same time, or one by one beside other work. */
export async function dataFindings(
  db: Db,
  config: Config,
  onRule: (() => void) | 'one by one' = () => {},
): Promise<Finding[]> {
  const found = await findKeys(db, config)
  const check = async (one: DataRule): Promise<Finding> => {
    const rows = await one.rule(db)
    if (typeof onRule === 'function') onRule()
    return { check: one.check, faults: rows.map((row) => faultText(one, row)) }
  }
  const invariants: Finding[] = []
  if (onRule === 'one by one') for (const one of data_rules) invariants.push(await check(one))
  else invariants.push(...(await Promise.all(data_rules.map(check))))
  const cvv_keys = await cvvKeyFaults(db, config)
  const known = rememberedAnchor(config.data_dir)
  return [
    ...(await keyFindings(db, found, known)),
    { check: 'keys of security codes are destroyed in time', faults: cvv_keys },
    ...invariants,
  ]
}

/** Destroying its key destroys a security code everywhere; a key that remains keeps old copies readable. */
async function cvvKeyFaults(db: Db, { data_dir }: Config): Promise<string[]> {
  const { rows } = await sql<{ now_ms: number }>`
    select extract(epoch from now())::float8 * 1000 as now_ms`.execute(db)
  const [first, ...others] = oldCvvKeys(data_dir, rows[0]?.now_ms ?? 0)
  if (first === undefined) return []
  return [
    `Keys of security codes older than ten minutes: ${others.length + 1}, for example ${first}. ` +
      'Start the service, which destroys them, or delete them.',
  ]
}

/** The keys, or what is wrong with them. A new, empty database has none yet. */
async function findKeys(db: Db, config: Config): Promise<Keys | string | null> {
  try {
    return readKeys(config)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const is_new = error instanceof MissingKeyFile && (await isEmpty(db)) && !(await knowsKeys(db))
    return is_new ? null : error.message
  }
}

/** Whether the keys belong to the database and open what is stored under every key that occurs. */
async function keyFindings(
  db: Db,
  keys: Keys | string | null,
  known: KnownAnchor | null,
): Promise<Finding[]> {
  if (keys === null) return [{ check: 'keys', faults: [] }]
  if (typeof keys === 'string') return [{ check: 'keys', faults: [keys] }]
  return [
    { check: 'keys', faults: await keyFaults(db, keys) },
    { check: 'sealed values can be opened', faults: await sealedFaults(db, keys) },
    {
      check: 'the audit log is complete and unchanged',
      faults: await auditFaults(db, keys, known ? [known] : []),
    },
  ]
}

/** The invariants of the data. */
export const data_rules: readonly DataRule[] = [
  {
    check: 'events are numbered without gaps',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select merchant_id, resource_id from events group by 1, 2
            having count(*) <> max(sequence) - min(sequence) + 1
              or (min(sequence) <> 1 and (select max_sequence from event_retention) = 0) limit 10`,
      ),
  },
  {
    check: 'every resource has the event of its creation',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select 'store' as kind, merchant_id, id from stores as r where ${hasEvents('r')}
              and not exists (
              select from events e where e.merchant_id = r.merchant_id and e.resource_id = r.id)
            union all select 'webhook', merchant_id, id from webhooks as r where ${hasEvents('r')}
              and not exists (
              select from events e where e.merchant_id = r.merchant_id and e.resource_id = r.id)
            limit 10`,
      ),
  },
  {
    check: 'resource limits are kept',
    advice: 'has more than the limit. Delete what is not needed.',
    rule: (db) =>
      findBroken(
        db,
        sql`select merchant_id, 'stores' as kind, count(*)::integer from stores
              where deleted_on is null group by 1 having count(*) > ${resource_limits.stores.max}
            union all select merchant_id, 'webhooks', count(*)::integer from webhooks
              where deleted_on is null group by merchant_id, store_id
              having count(*) > ${resource_limits.store_webhooks.max}
            union all select merchant_id, 'app_tokens', count(*)::integer from app_tokens
              where deleted_on is null group by merchant_id, store_id
              having count(*) > ${resource_limits.store_app_tokens.max}
            union all select merchant_id, 'bank_accounts', count(*)::integer from bank_accounts
              where deleted_on is null group by 1
              having count(*) > ${resource_limits.bank_accounts.max}`,
      ),
  },
  {
    check: 'a deleted store has no active token or webhook',
    advice: 'belongs to a deleted store. Revoke or delete it.',
    rule: (db) =>
      findBroken(
        db,
        sql`select 'app_token' as kind, t.merchant_id, t.id from app_tokens t
              join stores s on s.merchant_id = t.merchant_id and s.id = t.store_id
              where t.deleted_on is null and s.deleted_on is not null
            union all select 'webhook', w.merchant_id, w.id from webhooks w
              join stores s on s.merchant_id = w.merchant_id and s.id = w.store_id
              where w.deleted_on is null and s.deleted_on is not null limit 10`,
      ),
  },
  ...event_rules,
  ...activity_rules,
  ...ledger_rules,
  ...payment_rules,
  ...dispute_rules,
  ...settlement_rules,
  ...batch_rules,
  ...transfer_rules,
  ...stuck_work_rules,
  ...node_rules,
  ...connector_rules,
]
