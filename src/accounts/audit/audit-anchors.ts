import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Selectable, sql } from 'kysely'
import { inTransaction, type Service } from '../../service.ts'
import type { AuditAnchorTable } from '../../store/tables/accounts/user-tables.ts'
import type { Db } from '../../store/tables/db.ts'
import { type Keys, keyedHash } from '../../vault/key-ring.ts'
import { isRemovable } from '../merchants/remove-merchant.ts'

export type AuditAnchor = Selectable<AuditAnchorTable>

/** The end of the chain at some time, as it is stored outside the database. */
export interface KnownAnchor {
  readonly number: number
  /** In hex. */
  readonly hash: string
}

export function hashAnchor(
  { fingerprint }: Keys,
  anchor: Omit<AuditAnchor, 'hash'>,
  previous: Buffer,
): Buffer {
  const content = JSON.stringify([
    anchor.number,
    anchor.merchant_id,
    anchor.audit_number,
    anchor.audit_hash.toString('hex'),
    anchor.created_on.toISOString(),
    previous.toString('hex'),
  ])
  return keyedHash(fingerprint.newest, 'audit anchor', content)
}

export async function newestAnchor(db: Db): Promise<AuditAnchor | null> {
  const found = await db
    .selectFrom('audit_anchors')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

interface AuditEnd {
  readonly merchant_id: string
  readonly number: number
  readonly hash: Buffer
}

/**
 * Adds the newest line of a merchant to the chain of all merchants. It has its own transaction, after that of
 * the line: actions of one merchant never wait for those of another. A merchant that may be removed is not in
 * it: its removal would look like an older state that was put back.
 */
export async function anchorAudit(service: Service, end: AuditEnd): Promise<void> {
  if (await isRemovable(service, end.merchant_id)) return
  const { number, hash } = await inTransaction(service, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('audit_anchors', 0))`.execute(tx.db)
    const last = await newestAnchor(tx.db)
    const anchor = {
      number: (last?.number ?? 0) + 1,
      merchant_id: end.merchant_id,
      audit_number: end.number,
      audit_hash: end.hash,
      created_on: new Date(service.wall_clock.now()),
    }
    const hash = hashAnchor(service.keys, anchor, last?.hash ?? Buffer.alloc(0))
    await tx.db
      .insertInto('audit_anchors')
      .values({ ...anchor, hash })
      .execute()
    return { ...anchor, hash }
  })
  const known = { number, hash: hash.toString('hex') }
  // The log of the service is another place to compare with, where it is stored elsewhere.
  service.log.info(
    { merchant_id: end.merchant_id, audit_number: end.number, anchor: known },
    'audit',
  )
  rememberAnchor(service, known)
}

const fileOf = (data_dir: string) => join(data_dir, 'audit-anchor.json')

/** The newest entry that a process with this data folder has written; null: none yet. */
export function rememberedAnchor(data_dir: string): KnownAnchor | null {
  try {
    return JSON.parse(readFileSync(fileOf(data_dir), 'utf8'))
  } catch {
    return null
  }
}

function rememberAnchor({ config, log }: Service, known: KnownAnchor): void {
  const before = rememberedAnchor(config.data_dir)
  if (before && before.number >= known.number) return
  const path = fileOf(config.data_dir)
  try {
    writeFileSync(`${path}.new`, JSON.stringify(known), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch (error) {
    log.warn({ err: error }, 'the end of the audit log was not stored in the data folder')
  }
}
