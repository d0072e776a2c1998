import { sql } from 'kysely'
import type { AuditDetails, AuditKind } from '../../core/access/users.ts'
import { newId } from '../../core/ids.ts'
import { inTransaction, type Service } from '../../service.ts'
import { type Keys, keyedHash } from '../../vault/key-ring.ts'
import { anchorAudit } from './audit-anchors.ts'

/** A line without its number. */
export interface NewAuditLine {
  merchant_id: string
  kind: AuditKind
  /** The line of the action's start; without one, this line is the first about the action. */
  action_id?: string
  user_id: string
  session_id: string | null
  /** The id of the operation. */
  action: string
  resource_id: string | null
  details: AuditDetails
}

/** Everything that the hash of a line covers. */
interface HashedLine extends Omit<Required<NewAuditLine>, 'details'> {
  id: string
  number: number
  details: string
  created_on: Date
}

/**
 * The key never changes, so that old lines can always be verified. Write access to the database without the
 * key is not enough to create a valid line.
 */
export function hashLine({ fingerprint }: Keys, line: HashedLine, previous: Buffer): Buffer {
  const content = JSON.stringify([
    line.merchant_id,
    line.id,
    line.number,
    line.action_id,
    line.kind,
    line.user_id,
    line.session_id,
    line.action,
    line.resource_id,
    line.details,
    line.created_on.toISOString(),
    previous.toString('hex'),
  ])
  return keyedHash(fingerprint.newest, 'audit log', content)
}

export interface AuditHead {
  merchant_id: string
  number: number
  hash: Buffer
}

/** Another purpose than that of lines: the hash of an earlier line is no head. */
export function sealHead({ fingerprint }: Keys, { merchant_id, number, hash }: AuditHead): Buffer {
  const content = JSON.stringify([merchant_id, number, hash.toString('hex')])
  return keyedHash(fingerprint.newest, 'audit head', content)
}

/**
 * Appends a line and returns its id. The head is locked, so the lines of a merchant are numbered in
 * sequence. A user cannot move this clock.
 */
export async function appendAudit(service: Service, line: NewAuditLine): Promise<string> {
  const { merchant_id } = line
  const details = JSON.stringify(line.details)
  return inTransaction(service, async (tx) => {
    const { rows } = await sql<AuditHead>`
      insert into audit_heads (merchant_id, number, hash, seal) values (${merchant_id}, 0, '', '')
      on conflict (merchant_id) do update set number = audit_heads.number
      returning merchant_id, number, hash`.execute(tx.db)
    const last = rows[0] ?? { number: 0, hash: Buffer.alloc(0) }
    const created_on = new Date(service.wall_clock.now())
    const id = newId(created_on.getTime())
    const number = last.number + 1
    const whole = { action_id: id, ...line, id, number, details, created_on }
    const hash = hashLine(service.keys, whole, last.hash)
    await tx.db
      .insertInto('audit_log')
      .values({ ...whole, hash })
      .execute()
    const seal = sealHead(service.keys, { merchant_id, number, hash })
    await tx.db
      .updateTable('audit_heads')
      .set({ number, hash, seal })
      .where('merchant_id', '=', merchant_id)
      .execute()
    // The line is written: the action continues even if its anchor fails. The next line brings another.
    tx.afterCommit((committed) =>
      anchorAudit(committed, { merchant_id, number, hash }).catch((error) =>
        committed.log.warn({ err: error }, 'an entry of the audit log was not anchored'),
      ),
    )
    return id
  })
}
