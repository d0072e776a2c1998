import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { settings } from '../../../src/config.ts'
import { migrate } from '../../../src/store/migrate/migrate.ts'
import { startEmbeddedPostgres } from '../../../src/store/server/embedded/embedded-postgres.ts'
import { startProcess, temporaryFolder } from '../fleet/running-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: pg.ClientConfig
    /** The folder in which each process records the routes and statuses that it has seen. */
    answers_dir: string
    /** A data folder that a service has run in. */
    used_folder: string
  }
}

const answers_dir = fileURLToPath(
  new URL('../../../node_modules/.cache/kaikei/answers', import.meta.url),
)

/** One real PostgreSQL for the whole run. Every test file gets a copy of an empty database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data_dir = temporaryFolder()
  const server = await startEmbeddedPostgres(data_dir, true, (message) => console.error(message))
  const client = new pg.Client(server.connection)
  await client.connect()
  // The whole run can be done with partitions of charges.
  const expected_charges = settings.EXPECTED_CHARGES.read(process.env.EXPECTED_CHARGES ?? '')
  await migrate(client, { expected_charges })
  await makeSessionsCheap(client, server.connection)
  await client.end()
  project.provide('postgres', server.connection)
  rmSync(answers_dir, { recursive: true, force: true })
  mkdirSync(answers_dir, { recursive: true })
  project.provide('answers_dir', answers_dir)
  const used_folder = temporaryFolder()
  await (await startProcess({ DATA_DIR: used_folder })).stop()
  project.provide('used_folder', used_folder)
  return async () => {
    rmSync(used_folder, { recursive: true, force: true })
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}

/** A password is checked without thousands of hashes: every world opens many sessions. */
async function makeSessionsCheap(client: pg.Client, { user, password }: pg.ClientConfig) {
  await client.query('set scram_iterations = 1')
  await client.query(`alter role ${user} password ${pg.escapeLiteral(String(password))}`)
}
