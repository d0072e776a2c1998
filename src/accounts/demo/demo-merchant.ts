import { sql } from 'kysely'
import { login_limits } from '../../core/access/users.ts'
import { Failure } from '../../core/api/errors.ts'
import { inTransaction, type Service } from '../../service.ts'
import { signAppToken } from '../app-tokens/app-token.ts'
import { createAppToken } from '../app-tokens/create-app-token.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { demoUser, makeConsoleLink } from '../sessions/console-link.ts'
import { createStore } from '../stores/create-store.ts'
import {
  credentialsPath,
  type DemoCredentials,
  readDemoCredentials,
  writeCredentials,
} from './demo-credentials.ts'

/** The demo store, found or created by a start. */
export interface PreparedDemo {
  readonly credentials: DemoCredentials
  /** This start created the credentials; they were never shown before. */
  readonly is_new: boolean
  /** Signs the demo user in to the console, once: by the start that created them only. */
  readonly console_link: string | null
}

const demo_lock = 7_230_110_003
/** Pages that a developer serves on the same machine may use the public key. */
const demo_domains = ['localhost', '127.0.0.1'] as const

/**
 * On the first start there is no merchant: a demo merchant with a store and a test-mode token is
 * created. Its secret is only in the file. A database that has merchants gets nothing: a machine
 * that joins with an empty folder would otherwise add a token and print a way into the console.
 * Only beside the embedded database, whose folder is the file's, a lost file gets a new token.
 * Returns null when there are no credentials.
 */
export async function prepareDemo(
  service: Service,
  base_url: string,
): Promise<PreparedDemo | null> {
  const { data_dir } = service.config
  const known = await existingDemo(service)
  const written = readDemoCredentials(data_dir)
  if (known && written?.store_id === known.store_id && written.jwt && written.secret) {
    const credentials = { ...written, base_url }
    if (written.base_url !== base_url) writeCredentials(credentialsPath(data_dir), credentials)
    return { credentials, is_new: false, console_link: null }
  }
  const is_own = service.config.database_url === null
  const built = await makeDemo(service, base_url, is_own).catch((error) => {
    if (!(error instanceof Failure) || error.code !== 'RESOURCE_LIMIT_REACHED') throw error
    service.log.warn(
      'No credentials.json is written: the demo store has too many tokens. Revoke one and restart.',
    )
    return null
  })
  if (!built) return null
  const { credentials, is_first } = built
  const life_ms = login_limits.first_console_link_ms
  const console_link = is_first ? await demoConsoleLink(service, base_url, life_ms) : null
  return { credentials, is_new: true, console_link }
}

/** A link that signs the demo user in; null without a demo merchant. */
export async function demoConsoleLink(
  service: Service,
  base_url: string,
  life_ms: number,
): Promise<string | null> {
  return inTransaction(service, async (tx) => {
    // Two processes that start at the same time create one user.
    await lockDemo(tx)
    const demo = await existingDemo(tx)
    if (!demo) return null
    return makeConsoleLink(tx, await demoUser(tx, demo.merchant_id), base_url, life_ms)
  })
}

async function lockDemo({ db }: Service): Promise<void> {
  await sql`select pg_advisory_xact_lock(${demo_lock})`.execute(db)
}

interface CreatedDemo {
  readonly credentials: DemoCredentials
  /** The merchant is new, too. */
  readonly is_first: boolean
}

async function makeDemo(
  service: Service,
  base_url: string,
  restores_file: boolean,
): Promise<CreatedDemo | null> {
  return inTransaction(service, async (tx) => {
    await lockDemo(tx)
    const created = await createDemo(tx)
    const demo = created ?? (restores_file ? await existingDemo(tx) : null)
    if (!demo) return null
    const { merchant_id, store_id } = demo
    const store = { id: store_id, mode: 'test' as const, domains: [...demo_domains] }
    const { token, secret } = await createAppToken(tx, {
      merchant_id,
      creator_id: merchant_id,
      store,
    })
    const jwt = await signAppToken(tx, token)
    const credentials = { base_url, merchant_id, store_id, jwt, secret }
    // Before the commit: a process that dies in between leaves no merchant whose secret is nowhere.
    const { data_dir } = tx.config
    writeCredentials(credentialsPath(data_dir), credentials)
    const file = credentialsPath(data_dir)
    if (created) tx.log.info({ merchant_id, file }, 'demo merchant created')
    return { credentials, is_first: created !== null }
  })
}

interface Demo {
  merchant_id: string
  store_id: string
}

async function existingDemo(service: Service): Promise<Demo | null> {
  const found = await service.db
    .selectFrom('merchants')
    .innerJoin('stores', 'stores.merchant_id', 'merchants.id')
    .select(['merchants.id as merchant_id', 'stores.id as store_id'])
    .where('merchants.demo', '=', true)
    .where('stores.deleted_on', 'is', null)
    .orderBy('stores.id')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

async function createDemo(service: Service): Promise<Demo | null> {
  const anyone = await service.db.selectFrom('merchants').select('id').limit(1).executeTakeFirst()
  if (anyone) return null
  const merchant = await createMerchant(service, {
    name: 'Demo merchant',
    email: 'demo@example.com',
    demo: true,
  })
  const store = await createStore(service, merchant.id, { name: 'Demo store' })
  return { merchant_id: merchant.id, store_id: store.id }
}
