import { readFileSync } from 'node:fs'
import { stripe_connector } from '../../src/connectors/stripe/stripe-connector.ts'
import type { Credentials } from '../../src/providers/provider-operations.ts'
import {
  type StripeDouble,
  secret_key,
  startStripeDouble,
  webhook_secret,
} from '../../test/connectors/stripe/double/stripe-double.ts'
import { cards, declines } from '../../test/connectors/stripe/double/stripe-double-rules.ts'
import type { CheckSubject, Need, StandIn } from './check-subject.ts'

const online = { kind: 'online', brand: 'pay_pay_online', call_method: 'http_post' } as const

const lacks: Partial<Record<Need, string>> = {
  signed_requests: 'Stripe knows its accounts by a secret key: requests are not signed.',
  match_amounts: 'Not offered: Stripe adds up what arrives, and sends nothing back by itself.',
  customs: 'Stripe declares nothing to customs.',
}

function variantsOf(settings: Credentials) {
  const { secret_key: key = '', webhook_secret: secret = '' } = settings
  const webhook_secret = `whsec_${'x'.repeat(24)}`
  return {
    settings: (api_url: string | null) => (api_url ? { ...settings, api_url } : settings),
    wrong_secret: { ...settings, secret_key: key.replace(/.{8}$/, 'xxxxxxxx'), webhook_secret },
    rotated: { ...settings, webhook_secret, previous_webhook_secret: secret },
  }
}

function standInOf({ intents, act, expire, event, disputes, deposit }: StripeDouble): StandIn {
  return {
    paymentsOf: async (charge_id) =>
      [...intents.values()]
        .filter(({ metadata }) => metadata.kaikei_charge_id === charge_id)
        .map(({ amount, currency, status, received: captured, refunded }) => ({
          kind: 'authorize',
          amount,
          currency: currency.toUpperCase(),
          state: status === 'canceled' ? 'voided' : status,
          captured,
          refunded,
          returned: 0,
        })),
    act: async (id, approved) => act(id, approved),
    deposit: async (id, amount) => deposit(id, amount),
    dispute: async (id, amount) => {
      disputes.open(id, amount)
    },
    expire: async (id) => expire(id),
    notification: async (id) => {
      const of_payment = [...disputes.disputes.values()].find((one) => one.payment_intent === id)
      return event(of_payment?.id ?? id)
    },
  }
}

/** The `stripe` connector and our double, which was written from documents: it proves shapes only. */
export async function openStripeSubject(double: StripeDouble | null = null): Promise<CheckSubject> {
  const opened = double ?? (await startStripeDouble())
  const declined = Object.entries(declines).map(([number, [, , code]]) => [number, code])
  return {
    kind: stripe_connector,
    proves: 'shape',
    upstream: { host: '127.0.0.1', port: opened.port },
    ...variantsOf({ secret_key, webhook_secret, api_url: opened.url }),
    cards: { ...cards, declined: Object.fromEntries(declined) },
    currencies: ['JPY', 'USD', 'KWD'],
    online,
    stand_in: standInOf(opened),
    lacks,
    stop: opened.close,
  }
}

/** The `stripe` connector and a sandbox at Stripe, with its own test cards; the file has the settings. */
export function readStripeSandbox(file: string): CheckSubject {
  const { settings, lacks: others = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    settings: Credentials
    lacks?: CheckSubject['lacks']
  }
  const declined = Object.entries(declines).map(([number, [, , code]]) => [number, code])
  return {
    kind: stripe_connector,
    proves: 'behaviour',
    upstream: null,
    ...variantsOf(settings),
    cards: { ...cards, declined: Object.fromEntries(declined) },
    currencies: ['JPY', 'USD'],
    online,
    stand_in: null,
    lacks: { ...lacks, ...others },
    stop: async () => {},
  }
}
