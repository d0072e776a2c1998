import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { resource_limits } from '../core/limits/limits.ts'
import { PlainError } from '../core/plain-error.ts'
import { auditFaults } from '../doctor/audit-rules.ts'
import { batch_rules } from '../doctor/batch-rules.ts'
import { event_rules } from '../doctor/event-rules.ts'
import { payment_rules } from '../doctor/payment-rules.ts'
import { stuck_work_rules } from '../doctor/stuck-work-rules.ts'
import { transfer_rules } from '../doctor/transfer-rules.ts'
import { ledger_rules } from '../ledger/balances.ts'
import { missingMigrations } from '../store/migrate.ts'
import { databaseFaults, openStore, type Store, withSession } from '../store/open-store.ts'
import { type DataRule, faultText, findBroken, restore_advice } from '../store/sql/data-rule.ts'
import { keyFaults, knowsKeys } from '../vault/check-keys.ts'
import { oldCvvKeys } from '../vault/cvv-keys.ts'
import { KeyError, MissingKeyFile } from '../vault/key-file.ts'
import { type Keys, readKeys } from '../vault/key-ring.ts'
import { isEmpty } from '../vault/open-keys.ts'
import { sealedFaults } from '../vault/sealed-values.ts'
import type { Run } from './command-table.ts'
import { showJson } from './show.ts'
import { newProgress } from './terminal.ts'

export interface Finding {
  readonly check: string
  /** What is wrong and what to do about it; an empty list means everything is well. */
  readonly faults: string[]
}

/** Prints what was found; exits with 1 when something is wrong. */
export const runDoctor: Run<'doctor'> = async ({ config, terminal }, _, { json }) => {
  const progress = newProgress(terminal)
  let checked = 0
  const findings = await examine(config, () => {
    checked += 1
    progress.show(`Checked ${checked} of ${data_rules.length} rules of the data`)
  }).finally(progress.end)
  if (json) showJson(terminal, findings)
  else for (const finding of findings) terminal.write(findingText(finding))
  return findings.some(({ faults }) => faults.length > 0) ? 1 : 0
}

function findingText({ check, faults }: Finding): string {
  if (faults.length === 0) return `ok     ${check}\n`
  return faults.map((fault) => `WRONG  ${check}: ${fault}\n`).join('')
}

/** Checks every invariant and changes nothing. */
export async function examine(config: Config, onRule?: () => void): Promise<Finding[]> {
  if (!config.database_url && !existsSync(join(config.data_dir, 'postgres'))) {
    throw new PlainError(`Nothing was started in ${config.data_dir} yet. Start the service first.`)
  }
  const findings: Finding[] = [
    { check: 'runtime', faults: runtimeFaults() },
    { check: 'settings', faults: settingFaults(config) },
    { check: 'data folder', faults: folderFaults(config) },
  ]
  const store = await openStore(config, { own: false, onTrouble: () => {} })
  try {
    findings.push({ check: 'database', faults: await withSession(store, databaseFaults) })
    const missing = await withSession(store, missingMigrations)
    const advice = missing.map((name) => `${name} is not applied. Run: kaikei migrate`)
    findings.push({ check: 'migrations', faults: advice })
    if (missing.length === 0) findings.push(...(await dataFindings(store, config, onRule)))
  } finally {
    await store.close()
  }
  return findings
}

function runtimeFaults(): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const is_new = major > 20 || (major === 20 && minor >= 19)
  return is_new ? [] : [`Node ${process.versions.node} is too old. Install 20.19 or newer.`]
}

function settingFaults(config: Config): string[] {
  const faults: string[] = []
  const { base_url, host, webhook_targets } = config
  const is_local = host.startsWith('127.') || host === 'localhost' || host === '::1'
  if (!is_local && !base_url?.startsWith('https:')) {
    faults.push('The service listens beyond this machine. Set BASE_URL to its https address.')
  }
  if (!is_local && webhook_targets === 'any') {
    faults.push('Merchants could reach internal addresses. Set WEBHOOK_TARGETS=public.')
  }
  return faults
}

function folderFaults({ data_dir }: Config): string[] {
  const folder = statSync(data_dir, { throwIfNoEntry: false })
  if (!folder || process.platform === 'win32') return []
  const open = (folder.mode & 0o022) !== 0
  return open ? [`Others can write to ${data_dir}. Run: chmod go-w "${data_dir}"`] : []
}

async function dataFindings(store: Store, config: Config, onRule?: () => void): Promise<Finding[]> {
  const found = await findKeys(store, config)
  const invariants = await Promise.all(
    data_rules.map(async (one) => {
      const rows = await one.rule(store.db)
      onRule?.()
      return { check: one.check, faults: rows.map((row) => faultText(one, row)) }
    }),
  )
  const cvv_keys = await cvvKeyFaults(store, config)
  return [
    ...(await keyFindings(store, found)),
    { check: 'keys of security codes are destroyed in time', faults: cvv_keys },
    ...invariants,
  ]
}

/** Destroying its key destroys a security code everywhere; a key that remains keeps old copies readable. */
async function cvvKeyFaults({ pool }: Store, { data_dir }: Config): Promise<string[]> {
  const { rows } = await pool.query('select extract(epoch from now())::float8 * 1000 as now_ms')
  const [first, ...others] = oldCvvKeys(data_dir, rows[0].now_ms)
  if (first === undefined) return []
  return [
    `Keys of security codes older than ten minutes: ${others.length + 1}, for example ${first}. ` +
      'Start the service, which destroys them, or delete them.',
  ]
}

/** The keys, or what is wrong with them. A new, empty database has none yet. */
async function findKeys({ db }: Store, config: Config): Promise<Keys | string | null> {
  try {
    return readKeys(config)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const is_new = error instanceof MissingKeyFile && (await isEmpty(db)) && !(await knowsKeys(db))
    return is_new ? null : error.message
  }
}

/** Whether the keys belong to the database and open what is stored under every key that occurs. */
async function keyFindings({ db }: Store, keys: Keys | string | null): Promise<Finding[]> {
  if (keys === null) return [{ check: 'keys', faults: [] }]
  if (typeof keys === 'string') return [{ check: 'keys', faults: [keys] }]
  return [
    { check: 'keys', faults: await keyFaults(db, keys) },
    { check: 'sealed values can be opened', faults: await sealedFaults(db, keys) },
    { check: 'the audit log is complete and unchanged', faults: await auditFaults(db, keys) },
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
            having count(*) <> max(sequence) or min(sequence) <> 1 limit 10`,
      ),
  },
  {
    check: 'every resource has the event of its creation',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select 'store' as kind, merchant_id, id from stores as r where not exists (
              select from events e where e.merchant_id = r.merchant_id and e.resource_id = r.id)
            union all select 'webhook', merchant_id, id from webhooks as r where not exists (
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
  ...ledger_rules,
  ...payment_rules,
  ...batch_rules,
  ...transfer_rules,
  ...stuck_work_rules,
]
