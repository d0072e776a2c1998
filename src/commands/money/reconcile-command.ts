import { basename } from 'node:path'
import { connectorSource } from '../../commerce/reconciliation/connector-source.ts'
import {
  digestOf,
  readColumnMap,
  readSettlementFile,
} from '../../commerce/reconciliation/read-settlement-file.ts'
import {
  type Finding,
  type Report,
  readReport,
  reconcile,
  type Source,
} from '../../commerce/reconciliation/reconcile.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { findProvider } from '../../open-providers.ts'
import type { Service } from '../../service.ts'
import type { OptionsOf, Run } from '../command-table.ts'
import { UsageError } from '../line/command.ts'
import { type Column, moneyText, showJson, tableText, timeText } from '../line/show.ts'
import { newProgress, type Terminal } from '../line/terminal.ts'
import { withService } from '../line/with-service.ts'

const columns: readonly Column<Finding>[] = [
  { title: 'PROBLEM', text: ({ problem }) => problem.replaceAll('_', ' ') },
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'LINE', text: ({ line_id }) => line_id ?? '', shrinks: true },
  { title: 'REFERENCE', text: ({ reference }) => reference, shrinks: true },
  { title: 'SETTLED', text: (one) => moneyText(one.amount, one.currency), align: 'right' },
  { title: 'LEDGER', text: (one) => moneyText(one.expected_amount, one.currency), align: 'right' },
  { title: 'CHARGE', text: ({ charge_id }) => charge_id ?? '' },
]

/** Exit code 1 when something does not agree. */
export const reconcileCommand: Run<'reconcile'> = async ({ config, terminal }, [file], options) => {
  const report = await withService(config, async ({ service }) => {
    const progress = newProgress(terminal)
    const source = await sourceOf(service, file, options)
    const run = await reconcile(service, source, ({ step, done }) =>
      progress.show(step === 'reading' ? `Read ${done} lines` : `Compared ${done} postings`),
    ).finally(progress.end)
    return readReport(service, run)
  })
  if (options.json || !terminal.is_terminal) showJson(terminal, viewReport(report))
  else showReport(terminal, report)
  return report.findings.length > 0 ? 1 : 0
}

async function sourceOf(
  service: Service,
  file: string | undefined,
  { connector, map, amounts = 'minor' }: OptionsOf<'reconcile'>,
): Promise<Source> {
  const provider = findProvider(service.providers, connector)
  if (!provider) {
    const known = service.providers.all.map(({ name }) => name).join(', ')
    throw new PlainError(`There is no connector ${connector}. There are ${known}.`)
  }
  if (file === undefined) return connectorSource(service, provider)
  if (amounts !== 'minor' && amounts !== 'major')
    throw new UsageError('--amounts is minor or major.')
  const read = { columns: map === undefined ? {} : readColumnMap(map), amounts }
  const digest = await digestOf(file, read)
  const lines = () => readSettlementFile(file, read)
  return { provider: connector, name: basename(file), digest, lines }
}

function viewReport(report: Report) {
  const { run, matched, already_known, counts, fees, findings, has_more } = report
  const { id, provider, source, period_from, period_to, lines_read } = run
  const period = { from: period_from, to: period_to }
  return {
    ...{ id, provider, source, ...period, lines_read, matched, already_known },
    ...counts,
    fees,
    findings,
    has_more,
  }
}

function showReport(terminal: Terminal, report: Report): void {
  const { run, matched, already_known, counts, fees, findings, has_more } = report
  const { amount_differs, missing_here, missing_there } = counts
  terminal.write(
    `${run.source}: ${run.lines_read} lines of ${run.provider}, ${timeText(run.period_from)} to ` +
      `${timeText(run.period_to)}\n${matched} matched, ${amount_differs} with another amount, ` +
      `${missing_here} missing here, ${missing_there} missing there` +
      `${already_known > 0 ? `, ${already_known} known from earlier runs` : ''}\n`,
  )
  const stored = fees.map(({ amount, currency }) => moneyText(amount, currency))
  if (stored.length > 0) terminal.write(`Retained by the provider: ${stored.join(', ')}\n`)
  if (findings.length > 0) terminal.write(`\n${tableText(terminal, findings, columns)}`)
  if (has_more) terminal.write('There are more findings than these.\n')
}
