import { pino } from 'pino'
import type { ConnectorParts } from '../../src/providers/connector.ts'
import { card_checks } from './card-checks.ts'
import type { Check, CheckSubject, CheckWorld, Need, StandIn } from './check-subject.ts'
import { connection_checks, secrecy_checks } from './connection-checks.ts'
import { type CuttingProxy, openProxy } from './cutting-proxy.ts'
import { waiting_checks } from './waiting-checks.ts'

export interface CheckResult {
  readonly capability: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'shape-checked only' | 'not run'
  /** Why it failed or was not run, or what was seen. */
  readonly detail: string
}

const all_checks = [...connection_checks, ...card_checks, ...waiting_checks, ...secrecy_checks]

/** Why a check cannot run: the subject's own reason, or a part that it lacks. */
function whyNotRun(check: Check, { subject, provider }: CheckWorld): string | null {
  const { partial_capture, partial_refund, notifications, inquires_by } = provider.capabilities
  const missing: Partial<Record<Need, string | false>> = {
    proxy: !subject.upstream && 'The connection to this provider cannot be cut.',
    stand_in: !subject.stand_in && 'It needs the controls of a stand-in.',
    partial_capture: !partial_capture && 'The provider captures whole amounts only.',
    partial_refund: !partial_refund && 'The provider refunds whole amounts only.',
    our_reference: inquires_by !== 'our_reference' && 'The provider knows only its own names.',
    notifications: !notifications && 'The provider sends no notifications.',
  }
  for (const need of check.needs) {
    const reason = subject.lacks[need] ?? missing[need]
    if (reason) return reason
  }
  return null
}

/** Runs every check, one after the other: each has payments of its own. */
export async function runChecks(
  subject: CheckSubject,
  options: { readonly every_byte?: boolean } = {},
): Promise<CheckResult[]> {
  const proxy = subject.upstream && (await openProxy(subject.upstream))
  try {
    const world = newWorld(subject, proxy, options.every_byte ?? false)
    const results: CheckResult[] = []
    for (const check of all_checks) results.push(await runCheck(check, world))
    return results
  } finally {
    await proxy?.close()
  }
}

function newWorld(
  subject: CheckSubject,
  proxy: CuttingProxy | null,
  every_byte: boolean,
): CheckWorld {
  const seen: string[] = []
  const log = pino(
    { level: 'trace', base: null },
    { write: (line: string) => void seen.push(line) },
  )
  const open = (now: ConnectorParts['now']) => subject.kind.open('checked', { log, now })
  return {
    subject,
    provider: open(() => Date.now()),
    credentials: subject.settings(proxy?.url ?? null),
    // A check that needs one of these is not run without it.
    proxy: proxy as CuttingProxy,
    stand_in: subject.stand_in as StandIn,
    has_stand_in: subject.stand_in !== null,
    every_byte,
    openAt: open,
    seen,
  }
}

async function runCheck(check: Check, world: CheckWorld): Promise<CheckResult> {
  const { capability, title } = check
  const reason = whyNotRun(check, world)
  if (reason !== null) return { capability, title, status: 'not run', detail: reason }
  try {
    const detail = (await check.run(world)) ?? ''
    const status = world.subject.proves === 'behaviour' ? 'passed' : 'shape-checked only'
    return { capability, title, status, detail }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { capability, title, status: 'failed', detail }
  } finally {
    world.proxy?.cut({})
  }
}

/** A table for each capability. */
export function printResults(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ title }) => title.length))
  const capabilities = [...new Set(results.map(({ capability }) => capability))]
  const tables = capabilities.map((capability) => {
    const rows = results
      .filter((one) => one.capability === capability)
      .map(({ title, status, detail }) =>
        `  ${title.padEnd(width)}  ${status.padEnd(18)}  ${detail}`.trimEnd(),
      )
    return [capability, ...rows].join('\n')
  })
  const counts = (['passed', 'failed', 'shape-checked only', 'not run'] as const).map(
    (status) => `${results.filter((one) => one.status === status).length} ${status}`,
  )
  return `${tables.join('\n\n')}\n\n${counts.join(', ')}\n`
}
