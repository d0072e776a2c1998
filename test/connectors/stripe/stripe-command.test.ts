import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { card_number } from '../../support/acquirer/acquirer-world.ts'
import { payments } from '../../support/payments.ts'
import { runWords } from '../../support/setup/command-line.ts'
import { useWorld } from '../../support/use-world.ts'
import {
  type StripeDouble,
  secret_key,
  startStripeDouble,
  webhook_secret,
} from './double/stripe-double.ts'

// The `stripe` connector as an operator adds and reconciles it, beside a service that runs.
const world = useWorld()
let double: StripeDouble

beforeAll(async () => {
  double = await startStripeDouble(() => world.clock.now())
})
afterAll(async () => {
  await double.close()
})

test('`connectors add` tries the key, and `reconcile --connector` compares the balance transactions', async () => {
  const { config, providers } = world.service
  const environment = {
    DATA_DIR: config.data_dir,
    DATABASE_URL: config.database_url ?? '',
    VAULT_KEYS: config.vault_keys ?? '',
    SIGNING_KEYS: config.signing_keys ?? '',
    FINGERPRINT_KEYS: config.fingerprint_keys ?? '',
  }
  const run = (...words: string[]) => runWords(words, environment)
  const file = join(config.data_dir, 'stripe.json')
  writeFileSync(file, JSON.stringify({ secret_key, webhook_secret, api_url: double.url }))
  const added = await run('connectors', 'add', 'world', '--kind', 'stripe', '--settings', file)
  expect(added.output).toContain('Test keys: no money moves.')
  await vi.waitFor(() => expect(providers.connectors.has('world')).toBe(true), { timeout: 60_000 })
  const shop = await world.merchant({ mode: 'live', verified: true })
  const pay = payments(world, shop)
  const { id, status } = await pay.settled({}, { data: { card_number } })
  expect(status).toBe('successful')
  await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 200, currency: 'JPY' })
  await pay.work()
  const agreed = await run('reconcile', '--connector', 'world', '--json')
  expect([agreed.code, agreed.errors]).toEqual([0, ''])
  expect(JSON.parse(agreed.output)).toMatchObject({ matched: 2, findings: [] })
  // A refund that a person made at Stripe is not known here.
  const source = { id: 're_1', object: 'refund', amount: 50, currency: 'jpy', metadata: {} }
  const money = { amount: -50, fee: 0, currency: 'jpy' }
  double.balance.book({ ...money, type: 'refund', source, category: 'refund' })
  const other = await run('reconcile', '--connector', 'world', '--json')
  expect(other.code).toBe(1)
  expect(JSON.parse(other.output)).toMatchObject({
    findings: [{ problem: 'missing_here', reference: 're_1', amount: -50 }],
  })
})
