import { expireNow } from '../../commerce/checkout/process-checkout-session.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { StoreEvent } from '../../events/event-names.ts'
import type { Run } from '../command-table.ts'
import { type ApiClient, type ApiResponse, newApiClient } from '../line/api-client.ts'
import { showJson } from '../line/show.ts'
import { withService } from '../line/with-service.ts'

const email = 'customer@example.com'
const money = { amount: 1000, currency: 'JPY' }
const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenge: '4000000000003220',
}

const expiry = () => ({
  exp_month: '12',
  exp_year: String(new Date(systemClock.now()).getFullYear() + 3),
})

/** Lets a checkout session expire before its time. */
type Expire = (session_id: string) => Promise<void>

/** Steps of a shop's program, each made of real requests in test mode. */
function stepsOf({ credentials, call }: ApiClient, expire: Expire) {
  const store = `/stores/${credentials.store_id}`
  const token = (body: object = {}, data: object = {}) =>
    call('POST', '/tokens', {
      payment_type: 'card',
      email,
      ...body,
      data: {
        cardholder: 'Taro Yamada',
        card_number: cards.good,
        ...expiry(),
        cvv: '123',
        ...data,
      },
    })
  const recurring = (data: object = {}) => token({ type: 'recurring' }, data)
  /** Waits until the resource has left its intermediate state. */
  const settled = async (path: string, waiting: string): Promise<ApiResponse> => {
    const found = await call('GET', `${path}?polling=true`)
    return found.status === waiting ? settled(path, waiting) : found
  }
  const charge = async (body: object = {}, paid_with?: ApiResponse) => {
    const { id } = paid_with ?? (await token())
    const created = await call('POST', '/charges', { transaction_token_id: id, ...money, ...body })
    return settled(`${store}/charges/${created.id}`, 'pending')
  }
  const subscription = async (data: object = {}, body: object = {}) => {
    const { id } = await recurring(data)
    const created = await call('POST', '/subscriptions', {
      transaction_token_id: id,
      ...money,
      period: 'monthly',
      ...body,
    })
    return settled(`${store}/subscriptions/${created.id}`, 'unverified')
  }
  const waiting = async (payment_type: string, data: object) =>
    charge(
      {},
      await call('POST', '/tokens', { payment_type, email, ip_address: '192.0.2.1', data }),
    )
  const session = () => call('POST', '/checkout_sessions', money)
  return { call, store, token, recurring, settled, charge, subscription, waiting, session, expire }
}

type Steps = ReturnType<typeof stepsOf>

async function refund({ call, store, charge, settled }: Steps): Promise<ApiResponse> {
  const { id } = await charge()
  const created = await call('POST', `${store}/charges/${id}/refunds`, money)
  return settled(`${store}/charges/${id}/refunds/${created.id}`, 'pending')
}

async function cancel({ call, store, charge, settled }: Steps): Promise<ApiResponse> {
  const { id } = await charge({ capture: false })
  const created = await call('POST', `${store}/charges/${id}/cancels`, {})
  return settled(`${store}/charges/${id}/cancels/${created.id}`, 'pending')
}

async function deposit({ call, waiting }: Steps): Promise<ApiResponse> {
  const { id } = await waiting('bank_transfer', { brand: 'aozora_bank' })
  return call('POST', `/test/charges/${id}/deposits`, { amount: money.amount })
}

async function customs({ call, store, waiting, settled }: Steps): Promise<ApiResponse> {
  const brand = { brand: 'we_chat_online', call_method: 'http_get' }
  const { id } = await waiting('online', brand)
  await call('POST', `/test/charges/${id}/complete`, { outcome: 'successful' })
  await settled(`${store}/charges/${id}`, 'awaiting')
  const declaration = {
    customs: 'SHANGHAI_ZS',
    merchant_customs_no: '330296A001',
    certificate_id: '110101199003070134',
    certificate_name: 'Li Lei',
  }
  const created = await call('POST', `${store}/charges/${id}/customs`, { declaration })
  return settled(`${store}/charges/${id}/customs/${created.id}`, 'pending')
}

/**
 * Installments of the card company are one charge, after which the subscription is complete: no
 * time has to pass.
 */
const completed = ({ subscription }: Steps) =>
  subscription({}, { installment_plan: { plan_type: 'fixed_cycles', fixed_cycles: 3 } })

/** The request that a customer sends from the page of a checkout session. */
async function checkout({ call, store, session, settled }: Steps): Promise<ApiResponse> {
  const { id, url } = await session()
  const data = { cardholder: 'Taro Yamada', card_number: cards.good, cvv: '123', ...expiry() }
  const path = new URL(String(url)).pathname
  await call('POST', `${path}/payments`, { payment_type: 'card', email, data })
  return settled(`${store}/checkout_sessions/${id}`, 'processing')
}

const disputed = async ({ call, charge }: Steps) =>
  call('POST', `/test/charges/${(await charge()).id}/disputes`, {})

/** The simulated bank receives evidence whose text selects its decision. */
async function answeredDispute(steps: Steps): Promise<ApiResponse> {
  const { call, store } = steps
  const { id } = await disputed(steps)
  const evidence = { explanation: 'The parcel was delivered and signed for.' }
  await call('PATCH', `${store}/disputes/${id}`, { evidence, submit: true })
  return call('GET', `${store}/disputes/${id}?polling=true`)
}

async function closedDispute(steps: Steps): Promise<ApiResponse> {
  const { id } = await disputed(steps)
  return steps.call('POST', `/test/disputes/${id}/complete`, { outcome: 'won' })
}

/** Only this session expires: the shop's clock, and with it everything else of the shop, is left alone. */
async function expiredCheckout({ call, store, session, expire }: Steps): Promise<ApiResponse> {
  const { id } = await session()
  await expire(id)
  return call('GET', `${store}/checkout_sessions/${id}`)
}

/** The steps that cause each event. */
const scenarios: Record<StoreEvent, (steps: Steps) => Promise<ApiResponse>> = {
  token_created: ({ token }) => token(),
  token_updated: async ({ call, store, recurring }) =>
    call('PATCH', `${store}/tokens/${(await recurring()).id}`, { metadata: { seen: true } }),
  token_three_ds_updated: ({ recurring }) =>
    recurring({ card_number: cards.challenge, three_ds: { enabled: true } }),
  token_cvv_auth_updated: ({ recurring }) => recurring({ cvv_authorize: { enabled: true } }),
  token_cvv_auth_check_updated: async ({ call, store, recurring }) =>
    call('PATCH', `${store}/tokens/${(await recurring()).id}`, { data: { cvv: '321' } }),
  token_replaced: async ({ call, store, recurring }) =>
    call('POST', `${store}/tokens/${(await recurring()).id}/renew`, {}),
  recurring_token_deleted: async ({ call, store, recurring }) => {
    const created = await recurring()
    await call('DELETE', `${store}/tokens/${created.id}`)
    return created
  },
  charge_updated: ({ charge }) => charge({ capture: false }),
  charge_finished: ({ charge }) => charge(),
  refund_finished: refund,
  cancel_finished: cancel,
  customs_declaration_finished: customs,
  bank_transfer_status_updated: deposit,
  dispute_created: disputed,
  dispute_updated: answeredDispute,
  dispute_closed: closedDispute,
  subscription_created: ({ subscription }) => subscription(),
  subscription_payment: ({ subscription }) => subscription(),
  subscription_failure: ({ subscription }) => subscription({ card_number: cards.declined }),
  subscription_suspended: async ({ call, store, subscription }) =>
    call('PATCH', `${store}/subscriptions/${(await subscription()).id}/suspend`, {}),
  subscription_canceled: async ({ call, store, subscription }) => {
    const created = await subscription()
    await call('DELETE', `${store}/subscriptions/${created.id}`)
    return created
  },
  subscription_completed: completed,
  checkout_completed: checkout,
  checkout_expired: expiredCheckout,
}

/** Prints requests instead of sending them. Bodies are left out: they have card numbers. */
function dryClient({ credentials }: ApiClient, write: (text: string) => void): ApiClient {
  const page = `${credentials.base_url}/checkout/PAGE`
  const call = async (method: string, path: string) => {
    write(`${method} ${path}\n`)
    return { id: 'ID', url: page, status: 'any' }
  }
  return { credentials, call }
}

/** Creates a real object in test mode whose lifecycle causes the event, and prints it. */
export const triggerEvent: Run<'trigger'> = async ({ config, terminal }, [name], options) => {
  const scenario = scenarios[name as StoreEvent]
  const client = newApiClient(config)
  if (options['dry-run']) {
    const expire = async (id: string) => terminal.write(`expire the checkout session ${id} now\n`)
    await scenario(stepsOf(dryClient(client, terminal.write), expire))
    return 0
  }
  const { merchant_id } = client.credentials
  const expire = (id: string) =>
    withService(config, ({ service }) => expireNow(service, { merchant_id, id }))
  showJson(terminal, await scenario(stepsOf(client, expire)))
  return 0
}
