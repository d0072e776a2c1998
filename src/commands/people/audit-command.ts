import { readFileSync } from 'node:fs'
import { type KnownAnchor, newestAnchor } from '../../accounts/audit/audit-anchors.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { auditFaults } from '../../doctor/audit-rules.ts'
import type { Run } from '../command-table.ts'
import { showJson } from '../line/show.ts'
import { withService } from '../line/with-service.ts'

/** The end of the chain over all merchants. It says nothing about anybody, and can be stored anywhere. */
export const printAuditHead: Run<'audit head'> = async ({ config, terminal }) => {
  const newest = await withService(config, ({ service }) => newestAnchor(service.db))
  const known: KnownAnchor = {
    number: newest?.number ?? 0,
    hash: newest?.hash.toString('hex') ?? '',
  }
  showJson(terminal, { ...known, created_on: newest?.created_on.toISOString() ?? null })
  return 0
}

function readHead(file: string): KnownAnchor {
  try {
    const { number, hash } = JSON.parse(readFileSync(file, 'utf8'))
    if (Number.isSafeInteger(number) && typeof hash === 'string') return { number, hash }
  } catch {
    // The sentence below says what is expected.
  }
  throw new PlainError(`${file} was not printed by "kaikei audit head".`)
}

export const verifyAudit: Run<'audit verify'> = async ({ config, terminal }, [file = '']) => {
  const known = readHead(file)
  const faults = await withService(config, ({ service }) =>
    auditFaults(service.db, service.keys, known.number > 0 ? [known] : []),
  )
  for (const fault of faults) terminal.write(`WRONG  ${fault}\n`)
  if (faults.length === 0) {
    terminal.write(
      `ok     The audit log still contains entry ${known.number}, and every entry after it.\n`,
    )
  }
  return faults.length > 0 ? 1 : 0
}
