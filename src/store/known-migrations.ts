import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { PlainError } from '../core/api/plain-error.ts'

/** The schema cannot be brought to the state this code needs; the message says what to do. */
export class SchemaMismatch extends PlainError {}

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** It removes what programs that do not know this schema version still use; 0: it only adds. */
  min_program: number
  runs: 'in a transaction' | 'in batches' | 'concurrently'
}

/** The first steps do not declare a kind: a program must know all of them. */
const last_undeclared = 24
const folder = new URL('./migrations/', import.meta.url)
const kind =
  /^-- (?:expand|contract, since (?<since>\d{4}))(?:, (?<runs>in batches|concurrently))?$/

/** Reads the first line of a file, which declares the kind of the step. */
export function readKind(version: number, sql: string): Pick<Migration, 'min_program' | 'runs'> {
  if (version <= last_undeclared) return { min_program: last_undeclared, runs: 'in a transaction' }
  const [first = ''] = sql.split('\n', 1)
  const found = kind.exec(first)?.groups
  const min_program = Number(found?.since ?? 0)
  if (!found || min_program >= version) {
    throw new Error(`Migration ${version} begins with "${first}", which is no kind of step.`)
  }
  return { min_program, runs: (found.runs as Migration['runs']) ?? 'in a transaction' }
}

/** The numbered files, in order. A gap or a duplicate number is a programming error. */
export function readMigrations(): Migration[] {
  const migrations = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      const version = Number(name.slice(0, 4))
      return { version, name, sql, checksum, ...readKind(version, sql) }
    })
  migrations.forEach(({ version, name }, index) => {
    if (version !== index + 1) throw new Error(`Migration ${name} is out of order.`)
  })
  return migrations
}

/** The schema version that a program must know to work with the database. */
export const min_program_sql = `select coalesce(max((to_jsonb(m) ->> 'min_program')::integer), 0)
  as min_program from schema_migrations as m`

/** Why a program cannot work with a database that no longer has what the program uses; null: it can. */
export function programFault(min_program: number, known: number): string | null {
  if (min_program <= known) return null
  return (
    `the database needs a program that knows schema version ${min_program}, this one knows ${known}: ` +
    'start a newer version of the program'
  )
}

export function checkProgram(min_program: number, known: number): void {
  const fault = programFault(min_program, known)
  if (fault) throw new SchemaMismatch(`T${fault.slice(1)}, or restore a backup made with this one.`)
}
