import { expect, test } from 'vitest'
import { useAcquirer } from '../../../test/support/acquirer/acquirer-world.ts'
import { runWords } from '../../../test/support/setup/command-line.ts'
import type { Outcome, Provider } from '../../providers/provider.ts'
import { explainCharge } from './explain-charge.ts'

// Live charges of 1000 JPY. `charges explain` shows every call of the provider, with its reason.
const on = useAcquirer()

async function callsOf(id: string): Promise<string[]> {
  const explained = await explainCharge(on.world.service, on.shop.id, id)
  return (explained?.operations ?? []).map(
    ({ kind, is_inquiry, outcome }) => `${is_inquiry ? 'inquire ' : ''}${kind}: ${outcome}`,
  )
}

async function reasonOf(id: string): Promise<string | null | undefined> {
  const explained = await explainCharge(on.world.service, on.shop.id, id)
  return explained?.operations.find(({ outcome }) => outcome === 'unknown')?.raw_message
}

function useProvider(changes: Partial<Provider>): void {
  on.useProviders({ ...on.acquirer.provider, ...changes })
}

const three_ds = { eci: '05', authentication_value: 'a', transaction_id: 'b', version: '2.2.0' }

test('an authentication that the issuer approves without a question is shown', async () => {
  useProvider({ authenticate: async () => ({ outcome: 'approved', three_ds }) })
  const { id, status } = await on.settled({ three_ds: { mode: 'normal' } })
  expect(status).toBe('successful')
  expect(await callsOf(id)).toEqual(['authenticate: approved', 'authorize: approved'])
})

test('an inquiry that finds nothing is shown beside the call that follows', async () => {
  let sent = 0
  const { authorize } = on.acquirer.provider
  useProvider({
    authorize: async (operation, limit) => {
      sent += 1
      if (sent === 1) return { outcome: 'unknown', ask_again_ms: 1000 }
      return authorize(operation, limit)
    },
    inquire: async () => ({ outcome: 'never_received' }),
  })
  const { id } = await on.settled()
  await on.minutes(2)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful' })
  const calls = await callsOf(id)
  expect(calls.slice(0, 2)).toEqual(['authenticate: approved', 'authorize: unknown'])
  expect(calls).toContain('inquire authorize: not_taken')
  expect(calls.at(-1)).toBe('authorize: approved')
})

test('inquiries of a payment that waits for its customer are one line with the last time', async () => {
  const data = { brand: 'alipay_online', call_method: 'http_get' }
  const id = await on.pay.waiting('online', data)
  await on.minutes(25)
  expect(await callsOf(id)).toEqual(['authorize: waiting', 'inquire authorize: waiting'])
  const explained = await explainCharge(on.world.service, on.shop.id, id)
  const [first, last] = explained?.operations ?? []
  const between_ms = (last?.started_on.getTime() ?? 0) - (first?.started_on.getTime() ?? 0)
  expect(between_ms).toBeGreaterThan(15 * 60_000)
})

test.each<[string, Provider['authorize'], string]>([
  [
    'a connector that fails',
    async () => {
      throw new Error('secret of the connector')
    },
    'The connector failed; the log says why.',
  ],
  [
    'an answer of an unknown shape',
    async () => ({ outcome: 'perhaps' }) as unknown as Outcome,
    'The answer has a wrong shape.',
  ],
  [
    'a reason of the connector',
    async () => ({ outcome: 'unknown', ask_again_ms: 1000, reason: 'The status is 503, not 200.' }),
    'The status is 503, not 200.',
  ],
])('why an outcome is unknown: %s', async (_, authorize, reason) => {
  useProvider({ authorize, inquire: async () => ({ outcome: 'unknown', ask_again_ms: 1000 }) })
  const { id } = await on.settled()
  expect(await reasonOf(id)).toBe(reason)
})

test('the command names inquiries and reasons', async () => {
  useProvider({
    authorize: async () => ({
      outcome: 'unknown',
      ask_again_ms: 1000,
      reason: 'The status is 503.',
    }),
    inquire: async () => ({ outcome: 'unknown', ask_again_ms: 1000, reason: 'It took too long.' }),
  })
  const { id } = await on.settled()
  await on.minutes(1)
  const { data_dir, database_url, vault_keys, signing_keys, fingerprint_keys } =
    on.world.service.config
  const environment = {
    DATA_DIR: data_dir,
    DATABASE_URL: database_url ?? '',
    VAULT_KEYS: vault_keys ?? '',
    SIGNING_KEYS: signing_keys ?? '',
    FINGERPRINT_KEYS: fingerprint_keys ?? '',
  }
  const words = ['charges', 'explain', on.shop.id, id]
  const { output } = await runWords(words, environment, { is_terminal: true, columns: 200 })
  expect(output).toMatch(/authorize +1 +unknown .*The status is 503\./)
  expect(output).toMatch(/inquire authorize +2 +unknown .*It took too long\./)
})
