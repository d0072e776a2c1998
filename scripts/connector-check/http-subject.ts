import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { http_connector } from '../../src/connectors/http/http-connector.ts'
import type { Credentials } from '../../src/providers/provider-operations.ts'
import type { CheckSubject, StandIn } from './check-subject.ts'

/** A running example acquirer, and its controls. */
export interface ExampleAcquirer {
  readonly url: string
  readonly settings: Credentials
  readonly pid: number
  control(path: string, body?: object): Promise<unknown>
  stop(): Promise<void>
}

const script = fileURLToPath(new URL('../../examples/acquirer/acquirer.mjs', import.meta.url))

/** Starts the example unchanged, on a free port, with a new secret. */
export async function startExampleAcquirer(
  environment: Record<string, string> = {},
): Promise<ExampleAcquirer> {
  const secret = randomBytes(24).toString('hex')
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [script], {
    env: { PATH, PORT: '0', KEY_ID: 'key-1', SECRET: secret, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The example acquirer ended.')))
    child.stdout.once('data', (text) => resolve(/acquirer at (\S+)/.exec(String(text))?.[1] ?? ''))
  })
  return {
    url,
    settings: { base_url: url, key_id: 'key-1', secret },
    pid: child.pid ?? 0,
    control: async (path, body) => {
      const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
      const response = await fetch(url + path, sent)
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
      return response.json()
    },
    stop: async () => {
      child.kill()
      await exited
    },
  }
}

function standInOf({ control }: ExampleAcquirer): StandIn {
  const act = async (path: string, body: object) => {
    await control(`/controls/${path}`, body)
  }
  return {
    paymentsOf: async (charge_id) => {
      const found = await control(`/book?charge_id=${charge_id}`)
      return (found as { payments: Awaited<ReturnType<StandIn['paymentsOf']>> }).payments
    },
    act: (payment, approved) => act('act', { payment, approved }),
    deposit: (payment, amount) => act('deposit', { payment, amount }),
    dispute: (payment, amount) => act('dispute', { payment, amount }),
    expire: (payment) => act('expire', { payment }),
    notification: async (payment, name) => {
      const path = `/callbacks/${name}`
      const message = await control('/controls/notification', { payment, path })
      return message as Awaited<ReturnType<StandIn['notification']>>
    },
  }
}

interface Cards {
  readonly declines: Record<string, [raw_code: string, code: number, text: string]>
  readonly challenged_card: string
  readonly unauthenticated_card: string
}

/** No test card of Kaikei, so that live mode takes it. */
const approved_card = '4532015112830366'
const other_secret = 'a secret that the acquirer does not know'

function variantsOf(settings: Credentials) {
  const { key_id = '', secret = '' } = settings
  const previous = { previous_key_id: key_id, previous_secret: secret }
  return {
    settings: (base_url: string | null) => (base_url ? { ...settings, base_url } : settings),
    wrong_secret: { ...settings, secret: other_secret },
    rotated: { ...settings, key_id: 'key-2', secret: other_secret, ...previous },
  }
}

/** The `http` connector and the example acquirer, whose declines must be these codes. */
export async function openHttpSubject(acquirer: ExampleAcquirer): Promise<CheckSubject> {
  const cards = (await acquirer.control('/controls/cards')) as Cards
  const declined = Object.entries(cards.declines).map(([number, [, code]]) => [number, code])
  const { hostname, port } = new URL(acquirer.url)
  return {
    kind: http_connector,
    proves: 'behaviour',
    upstream: { host: hostname, port: Number(port) },
    ...variantsOf(acquirer.settings),
    cards: {
      approved: approved_card,
      declined: Object.fromEntries(declined),
      challenged: cards.challenged_card,
      unauthenticated: cards.unauthenticated_card,
    },
    currencies: ['JPY', 'USD', 'KWD'],
    stand_in: standInOf(acquirer),
    lacks: {},
    stop: acquirer.stop,
  }
}

interface Sandbox {
  readonly settings?: Credentials
  readonly cards?: Partial<CheckSubject['cards']>
  readonly currencies?: readonly string[]
  readonly lacks?: CheckSubject['lacks']
}

/**
 * The `http` connector and an acquirer's sandbox. The file gives its address; capabilities that it does not
 * name are not checked.
 */
export function readHttpSandbox(file: string): CheckSubject {
  const { settings, cards, currencies, lacks } = JSON.parse(readFileSync(file, 'utf8')) as Sandbox
  if (!settings) throw new Error(`${file} has no settings.`)
  const { approved = approved_card, declined = {}, challenged, unauthenticated } = cards ?? {}
  const is_asked = challenged !== undefined && unauthenticated !== undefined
  const unnamed = {
    ...(Object.keys(declined).length > 0 ? {} : { declines: 'The file names no declined cards.' }),
    ...(is_asked ? {} : { three_ds: 'The file names no cards for 3-D Secure.' }),
  }
  return {
    kind: http_connector,
    proves: 'behaviour',
    upstream: null,
    ...variantsOf(settings),
    cards: {
      approved,
      declined,
      challenged: challenged ?? '',
      unauthenticated: unauthenticated ?? '',
    },
    currencies: currencies ?? ['JPY'],
    stand_in: null,
    lacks: { ...unnamed, ...lacks },
    stop: async () => {},
  }
}
