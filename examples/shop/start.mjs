// Starts the shop beside a service that runs in this repository: builds the client, and opens a store
// with an application token. A shop of your own has its token in its settings; begin at shop.mjs.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareClient } from '../../scripts/prepare.mjs'

const data_dir = process.env.DATA_DIR ?? 'data'
const token_file = join(data_dir, 'demo-shop-token.json')
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

function stop(message) {
  console.error(message)
  process.exit(1)
}

/** The address of the service, if it runs. */
async function findService() {
  const advice = 'Start it first, in another terminal in this folder: npm start'
  const path = join(data_dir, 'credentials.json')
  if (!existsSync(path))
    stop(`The payment service has not run yet: there is no ${path}.\n${advice}`)
  const { base_url } = readJson(path)
  try {
    await fetch(`${base_url}/readyz`)
  } catch {
    stop(`The payment service does not answer at ${base_url}.\n${advice}`)
  }
  return base_url
}

/** A token of the merchant, which is needed for a moment only: the command prints its secret once. */
function createMerchantToken() {
  const program = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [program, 'app-tokens', 'create', 'demo']))
}

const store = {
  name: '葉と土 Leaf & Clay',
  // Customers see name and color on the pages on which they pay.
  configuration: { checkout_configuration: { main_color: '#3b5a46' } },
}

async function findStore(kaikei) {
  for await (const one of kaikei.stores.list()) if (one.name === store.name) return one
  return kaikei.stores.create(store)
}

async function createToken(Kaikei, base_url) {
  const { jti, secret, jwt } = createMerchantToken()
  const kaikei = new Kaikei({ base_url, secret, jwt })
  const { id: store_id } = await findStore(kaikei)
  // Pages at 127.0.0.1 may use the JWT without the secret, and show pages of the service in frames.
  const token = await kaikei.appTokens.create(
    { mode: 'test', domains: ['127.0.0.1'] },
    { store_id },
  )
  writeFileSync(token_file, JSON.stringify(token), { mode: 0o600 })
  await kaikei.appTokens.delete(jti)
}

/** Whether there is a token from an earlier start, and the service knows it. */
async function hasToken(Kaikei, base_url) {
  if (!existsSync(token_file)) return false
  const { secret, jwt } = readJson(token_file)
  try {
    await new Kaikei({ base_url, secret, jwt }).webhooks.list()
    return true
  } catch (error) {
    if (error.status === 401) return false
    throw error
  }
}

const base_url = await findService()
prepareClient()
const { Kaikei } = await import('../../client/dist/kaikei-client.js')
if (!(await hasToken(Kaikei, base_url))) await createToken(Kaikei, base_url)
const { secret, jwt } = readJson(token_file)
Object.assign(process.env, { KAIKEI_URL: base_url, KAIKEI_SECRET: secret, KAIKEI_JWT: jwt })
await import('./shop.mjs')
