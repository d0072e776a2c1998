import { statSync } from 'node:fs'
import { sql } from 'kysely'
import { backupFolder, listBackups } from '../../backup/backup-files.ts'
import type { Config } from '../../config.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { is_live } from '../../store/nodes.ts'
import type { Db } from '../../store/tables/db.ts'
import type { Finding } from '../../store/tables/finding.ts'
import { keyFilePath } from '../../vault/key-file.ts'

/** A backup every day, and a little. */
const max_backup_age_ms = 26 * hour_ms

/** The operator's tasks before real money: one finding for each line of the checklist. */
export async function liveSettings(db: Db, config: Config, now_ms: number): Promise<Finding[]> {
  return [
    { check: 'customers reach the service by https', ...baseUrl(config) },
    { check: 'webhooks cannot reach internal addresses', faults: webhookTargets(config) },
    { check: 'only the service can read the keys', ...keyFile(config) },
    { check: 'machines share their short-lived state', ...(await sharedState(db, config)) },
    { check: 'a standby has every acknowledged payment', ...(await standby(db)) },
    { check: 'there is a recent backup', ...backups(config, now_ms) },
    { check: 'mails are sent', faults: [], warnings: mails(config) },
    { check: 'metrics are collected', faults: [], warnings: metrics(config) },
  ]
}

type Found = Pick<Finding, 'faults' | 'warnings'>

const isHttps = (url: string | null) => url?.toLowerCase().startsWith('https://') ?? false

function baseUrl({ base_url, checkout_url, trusted_proxies }: Config): Found {
  const faults = isHttps(base_url)
    ? []
    : ['BASE_URL is no https address. Put TLS in front of the service, and set it.']
  if (checkout_url && !isHttps(checkout_url)) {
    faults.push('CHECKOUT_URL is no https address: card numbers would travel in the clear.')
  }
  const warnings =
    trusted_proxies.length > 0
      ? []
      : ['TRUSTED_PROXIES is not set: behind a proxy all customers seem to have its address.']
  return { faults, warnings }
}

function webhookTargets({ webhook_targets }: Config): string[] {
  return webhook_targets === 'public'
    ? []
    : ['Merchants could make the service call internal addresses. Set WEBHOOK_TARGETS=public.']
}

function keyFile({ data_dir, vault_keys, signing_keys, fingerprint_keys }: Config): Found {
  if (vault_keys && signing_keys && fingerprint_keys) return { faults: [] }
  const path = keyFilePath(data_dir)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return { faults: [`${path} is missing. Restore it from a backup.`] }
  const is_open = process.platform !== 'win32' && (found.mode & 0o077) !== 0
  return {
    faults: is_open ? [`Others can read ${path}. Run: chmod 600 "${path}"`] : [],
    warnings: [
      `Whether ${path} has a copy elsewhere cannot be seen from here: without it no stored card and no ` +
        'setting of a connector can be opened. Copy it to another place than the backups.',
    ],
  }
}

async function sharedState(db: Db, { shared_state }: Config): Promise<Found> {
  const { rows } = await sql<{ live: number; alone: number }>`
    select count(*)::integer as live,
      (count(*) filter (where shared_state = 'none'))::integer as alone
    from nodes where ${is_live}`.execute(db)
  const { live = 0, alone = 0 } = rows[0] ?? {}
  if (live < 2) return { faults: [] }
  if (alone > 0) {
    return { faults: [`${live} machines serve. Set SHARED_STATE_URL on each of them.`] }
  }
  const warnings =
    shared_state === 'per_machine'
      ? [`Limits multiply by ${live} machines; set SHARED_STATE_URL.`]
      : []
  return { faults: [], warnings }
}

async function standby(db: Db): Promise<Found> {
  const { rows } = await sql<{ sync: number; commit: string }>`
    select (select count(*)::integer from pg_stat_replication
        where sync_state in ('sync', 'quorum')) as sync,
      current_setting('synchronous_commit') as commit`.execute(db)
  const { sync = 0, commit = '' } = rows[0] ?? {}
  if (sync > 0 && !['off', 'local'].includes(commit)) return { faults: [] }
  const text =
    'No synchronous standby: what was acknowledged since the last backup is lost with the disk. ' +
    'Set one up, and REQUIRE_SYNC_STANDBY.'
  return { faults: [], warnings: [text] }
}

function backups(config: Config, now_ms: number): Found {
  if (config.database_url) {
    const text = 'The database is not embedded: look at its own backups, and try a restore.'
    return { faults: [], warnings: [text] }
  }
  const folder = backupFolder(config)
  const [newest] = listBackups(folder)
  const advice = 'Run "kaikei backup create" every day, and copy the file elsewhere.'
  if (!newest) return { faults: [`There is no backup in ${folder}. ${advice}`] }
  const age_ms = now_ms - newest.written_on.getTime()
  if (age_ms <= max_backup_age_ms) return { faults: [] }
  const hours = Math.floor(age_ms / hour_ms)
  return { faults: [`The newest backup is ${hours} hours old. ${advice}`] }
}

function mails({ smtp_url, mail_from }: Config): string[] {
  return smtp_url && mail_from ? [] : ['Set SMTP_URL and MAIL_FROM: users cannot reset passwords.']
}

function metrics({ metrics_port }: Config): string[] {
  return metrics_port ? [] : ['METRICS_PORT is not set: nobody is warned when payments fail.']
}
