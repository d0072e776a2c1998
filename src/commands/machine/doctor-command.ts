import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { data_rules, dataFindings } from '../../doctor/data-findings.ts'
import { liveMerchants } from '../../doctor/live/live-merchants.ts'
import { liveSettings } from '../../doctor/live/live-settings.ts'
import { sharedServerFaults } from '../../shared-state/examine-server.ts'
import { missingMigrations } from '../../store/migrate/migrate.ts'
import { databaseState, openStore, withSession } from '../../store/open-store.ts'
import { partitionsNote } from '../../store/partitions/charge-partitions.ts'
import { examineReplica } from '../../store/server/examine-replica.ts'
import type { Finding } from '../../store/tables/finding.ts'
import type { Run } from '../command-table.ts'
import { showJson } from '../line/show.ts'
import { newProgress } from '../line/terminal.ts'
import { withService } from '../line/with-service.ts'

/** Prints what was found; exits with 1 when something is wrong. */
export const runDoctor: Run<'doctor'> = async ({ config, terminal }, _, { json, live }) => {
  const progress = newProgress(terminal)
  let checked = 0
  const findings = await examine(config, () => {
    checked += 1
    progress.show(`Checked ${checked} of ${data_rules.length} rules of the data`)
  }).finally(progress.end)
  const is_readable = findings.every(
    ({ check, faults }) => check !== 'migrations' || !faults.length,
  )
  if (live && is_readable) findings.push(...(await examineLive(config)))
  if (json) showJson(terminal, findings)
  else for (const finding of findings) terminal.write(findingText(finding))
  return findings.some(({ faults }) => faults.length > 0) ? 1 : 0
}

/** The checklist of docs/going-live.md, as far as a program sees it. Connectors are called without effect. */
function examineLive(config: Config): Promise<Finding[]> {
  return withService(config, async ({ service }) => {
    const found = [
      ...(await liveSettings(service.db, config, service.clock.now())),
      ...(await liveMerchants(service)),
    ]
    return found.map((finding) => ({ ...finding, is_live: true }))
  })
}

function findingText({ check, faults, warnings = [], is_live = false }: Finding): string {
  const line = (word: string, text: string) => `${word.padEnd(is_live ? 8 : 7)}${text}\n`
  const lines = [
    ...faults.map((fault) => line(is_live ? 'MISSING' : 'WRONG', `${check}: ${fault}`)),
    ...warnings.map((warning) => line('WARN', `${check}: ${warning}`)),
  ]
  return lines.length === 0 ? line('ok', check) : lines.join('')
}

/** Checks every invariant and changes nothing. */
export async function examine(config: Config, onRule?: () => void): Promise<Finding[]> {
  if (!config.database_url && !existsSync(join(config.data_dir, 'postgres'))) {
    throw new PlainError(
      `The service has never run with DATA_DIR ${config.data_dir}. Start it first.`,
    )
  }
  const findings: Finding[] = [
    { check: 'runtime', faults: runtimeFaults() },
    { check: 'settings', faults: settingFaults(config) },
    { check: 'data folder', faults: folderFaults(config) },
    { check: 'shared state', faults: await sharedServerFaults(config) },
  ]
  const store = await openStore(config, { own: false, onTrouble: () => {} })
  try {
    const state = await withSession(store, (client) => databaseState(store, config, client))
    findings.push({ check: 'database', ...state })
    const { database_replica_url: replica } = config
    if (replica !== null) {
      const of_replica = await withSession(store, (client) => examineReplica(client, replica))
      findings.push({ check: 'replica', ...of_replica })
    }
    const missing = await withSession(store, missingMigrations)
    const advice = missing.map((name) => `${name} is not applied. Run: kaikei migrate`)
    findings.push({ check: 'migrations', faults: advice })
    if (missing.length === 0 && config.expected_charges !== null) {
      const note = await withSession(store, (one) => partitionsNote(one, config.expected_charges))
      findings.push({ check: 'expected charges', faults: [], warnings: note ? [note] : [] })
    }
    if (missing.length === 0) findings.push(...(await dataFindings(store.db, config, onRule)))
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
