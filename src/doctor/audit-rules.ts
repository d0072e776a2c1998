import { sql } from 'kysely'
import { type AuditAnchor, hashAnchor, type KnownAnchor } from '../accounts/audit/audit-anchors.ts'
import { type AuditHead, hashLine, sealHead } from '../accounts/audit/audit-chain.ts'
import type { Db } from '../store/tables/db.ts'
import { type Keys, sameBytes } from '../vault/key-ring.ts'

const lines_at_once = 1000
const max_faults = 10
const advice = 'Keep the database as it is, and compare with a backup and the log of the service.'

interface StoredHead extends AuditHead {
  seal: Buffer | null
}

/** Finds lines of the audit log that were changed, removed, moved, put back or made without the key. */
export async function auditFaults(
  db: Db,
  keys: Keys,
  known: readonly KnownAnchor[] = [],
): Promise<string[]> {
  const { rows } = await sql<StoredHead>`
    select m.id as merchant_id, coalesce(h.number, 0) as number, coalesce(h.hash, '') as hash, h.seal
    from merchants m left join audit_heads h on h.merchant_id = m.id
    where h.merchant_id is not null
      or exists (select from audit_log l where l.merchant_id = m.id)
      or exists (select from user_sessions s where s.merchant_id = m.id and s.via = 'cookie')
    order by m.id`.execute(db)
  const faults: string[] = []
  for await (const fault of anchorFaults(db, keys, known)) {
    faults.push(`The audit log: ${fault} ${advice}`)
    if (faults.length === max_faults) return faults
  }
  for (const head of rows) {
    for await (const fault of chainFaults(db, keys, head)) {
      faults.push(`The audit log of merchant ${head.merchant_id}: ${fault} ${advice}`)
      if (faults.length === max_faults) return faults
    }
  }
  return faults
}

/**
 * The chain over all merchants. A log and a head that were put back to an older state end before the line
 * that the chain names. A chain that was cut, too, ends before an entry that is known from elsewhere.
 */
async function* anchorFaults(
  db: Db,
  keys: Keys,
  known: readonly KnownAnchor[],
): AsyncGenerator<string> {
  let last: { number: number; hash: Buffer } = { number: 0, hash: Buffer.alloc(0) }
  for (;;) {
    const anchors = await readAnchors(db, last.number)
    for (const anchor of anchors) {
      const { number, hash, merchant_id, audit_number } = anchor
      if (number !== last.number + 1)
        yield `entries ${last.number + 1} to ${number - 1} of its chain are missing.`
      else if (!sameBytes(hashAnchor(keys, anchor, last.hash), hash)) {
        yield `entry ${number} of its chain was changed or moved.`
      } else if (!anchor.is_found) {
        const line = `line ${audit_number} of merchant ${merchant_id}`
        yield `${line} is missing or was replaced: an older state was put back.`
      }
      for (const one of known.filter((of) => of.number === number)) {
        if (one.hash !== hash.toString('hex'))
          yield `entry ${number} of its chain is not the one that was written.`
      }
      last = { number, hash }
    }
    if (anchors.length < lines_at_once) break
  }
  const newest = Math.max(0, ...known.map(({ number }) => number))
  if (newest > last.number) {
    const end = `its chain ends with entry ${last.number}, but entry ${newest} was written`
    yield `${end}: an older state was put back.`
  }
}

async function readAnchors(db: Db, after: number) {
  const { rows } = await sql<AuditAnchor & { is_found: boolean }>`
    select a.*, exists (select from audit_log l where l.merchant_id = a.merchant_id
      and l.number = a.audit_number and l.hash = a.audit_hash) as is_found
    from audit_anchors a where a.number > ${after} order by a.number limit ${sql.lit(lines_at_once)}`.execute(
    db,
  )
  return rows
}

async function* chainFaults(db: Db, keys: Keys, head: StoredHead): AsyncGenerator<string> {
  let last: { number: number; hash: Buffer } = { number: 0, hash: Buffer.alloc(0) }
  for (;;) {
    const lines = await readLines(db, head.merchant_id, last.number)
    for (const line of lines) {
      const { number, hash } = line
      if (number !== last.number + 1) yield missing(last.number + 1, number - 1)
      // The line after a gap contains the hash of a line that is not there any more.
      else if (!sameBytes(hashLine(keys, line, last.hash), hash)) {
        yield `line ${number} was changed or moved.`
      }
      last = { number, hash }
    }
    if (lines.length < lines_at_once) break
  }
  if (head.seal === null) yield 'its end is not recorded: lines may be missing.'
  else if (!sameBytes(sealHead(keys, head), head.seal)) yield 'the record of its end was changed.'
  else if (head.number > last.number) yield missing(last.number + 1, head.number)
  else if (!sameBytes(head.hash, last.hash)) yield 'it does not end with its last line.'
}

function missing(first: number, last: number): string {
  return first === last ? `line ${first} is missing.` : `lines ${first} to ${last} are missing.`
}

async function readLines(db: Db, merchant_id: string, after: number) {
  return db
    .selectFrom('audit_log')
    .select(['merchant_id', 'id', 'number', 'action_id', 'kind', 'user_id', 'session_id'])
    .select(['action', 'resource_id', 'created_on', 'hash'])
    .select(sql<string>`details::text`.as('details'))
    .where('merchant_id', '=', merchant_id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(lines_at_once)
    .execute()
}
