import { type DoubleBalance, newBalance } from './stripe-double-balance.ts'
import { newDeposits } from './stripe-double-deposits.ts'
import { newDisputes } from './stripe-double-disputes.ts'
import {
  type Fault,
  metadataOf,
  newId,
  type Params,
  type Recorded,
  Refusal,
  refuse,
  type StoredRefund,
} from './stripe-double-parts.ts'
import {
  cards,
  declines,
  live_challenged,
  live_declined,
  type RouteName,
} from './stripe-double-rules.ts'

/** The double of Stripe without HTTP: its record, and what each request does. */
export function newRecord(base: () => string, faults: ReadonlySet<Fault>, now: () => number) {
  const methods = new Map<string, string>()
  const intents = new Map<string, Recorded>()
  const refunds = new Map<string, StoredRefund>()
  const balance: DoubleBalance = newBalance(faults, now)
  const seconds = () => Math.floor(now() / 1000)
  const deposits = newDeposits(faults, now)
  const disputes = newDisputes(intents, balance, faults, now)

  function find(id: string): Recorded {
    const found = intents.get(id)
    if (found) return found
    const message = `No such object: '${id}'`
    throw new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message })
  }

  function show(one: Recorded): object {
    const { id, object, status, amount, currency, received, metadata, error, types } = one
    const url = `${base()}/authenticate/${id}?client_secret=hidden`
    const redirect = {
      type: 'redirect_to_url',
      redirect_to_url: { url, return_url: one.return_url },
    }
    const next = isByDeposit(one) ? deposits.nextAction(one) : redirect
    const next_action = status === 'requires_action' ? next : null
    const three_d_secure = one.authenticated
      ? {
          electronic_commerce_indicator: '05',
          transaction_id: `ds-${id}`.slice(0, 36),
          version: '2.2.0',
        }
      : null
    const common = { id, object, status, metadata, next_action, payment_method_types: types }
    if (object === 'setup_intent') {
      const latest_attempt = { payment_method_details: { card: { three_d_secure } } }
      return { ...common, last_setup_error: error, latest_attempt }
    }
    const is_taken = status === 'requires_capture' || status === 'succeeded'
    const card = { authorization_code: '123456', network_transaction_id: `n${id}`, three_d_secure }
    const payment_method_details = isByDeposit(one) ? { type: types[0] } : { card }
    const latest_charge = { id: `ch_${id}`, object: 'charge', payment_method_details }
    const payment_method = { id: 'pm_1', billing_details: { email: one.email } }
    return {
      ...common,
      amount,
      currency,
      created: one.created,
      customer: one.customer,
      payment_method,
      amount_capturable: status === 'requires_capture' ? amount : 0,
      amount_received: received,
      cancellation_reason: one.canceled_by,
      last_payment_error: error,
      latest_charge: is_taken ? latest_charge : null,
    }
  }

  function showRefund(refund: StoredRefund): object {
    return { object: 'refund', ...refund }
  }

  function unexpected(one: Recorded, verb: string): never {
    const message = `You cannot ${verb} this PaymentIntent because it has a status of ${one.status}.`
    return refuse(message, 'payment_intent_unexpected_state', {
      payment_intent: show(one),
    })
  }

  /** The payment or the setup is confirmed: what the card does is known by its number. */
  function confirm(one: Recorded, params: Params, is_payment: boolean): void {
    if (isByDeposit(one)) {
      deposits.confirm(one, params)
      return
    }
    const asked = params['payment_method_options[card][request_three_d_secure]']
    const number = one.number === live_declined ? '4000000000009995' : (one.number ?? '')
    const [code, known_decline] = declines[number] ?? []
    const decline_code = faults.has('unmapped_decline') ? 'do_not_honor' : known_decline
    const is_unauthenticated = one.number === cards.unauthenticated
    if (code || is_unauthenticated) {
      one.status = 'requires_payment_method'
      const leaked = faults.has('leaks_number') ? ` ${one.number}` : ''
      const message = `Your card was declined.${leaked}`
      one.error = { type: 'card_error', code: code ?? 'card_declined', decline_code, message }
      const of = is_payment ? 'payment_intent' : 'setup_intent'
      throw new Refusal(402, { ...one.error, [of]: show(one) })
    }
    const asks = [cards.challenged, live_challenged].includes(one.number ?? '')
    const is_challenged = one.number === null || (asks && !faults.has('skips_challenge'))
    if (is_challenged && params.off_session === 'true') {
      one.status = 'requires_payment_method'
      const message = 'The payment needs authentication.'
      const decline = 'authentication_required'
      one.error = { type: 'card_error', code: decline, decline_code: decline, message }
      throw new Refusal(402, { ...one.error, payment_intent: show(one) })
    }
    if (is_challenged && !params.return_url) refuse('return_url is needed.', 'parameter_missing')
    one.authenticated = asked !== undefined && !is_challenged
    if (is_challenged) one.status = 'requires_action'
    else pass(one)
  }

  function pass(one: Recorded): void {
    const is_held = one.object === 'payment_intent' && one.manual
    one.status = is_held ? 'requires_capture' : 'succeeded'
    if (is_held || one.object !== 'payment_intent') return
    one.received = faults.has('takes_part') ? one.amount - 1 : one.amount
    balance.bookPayment(one)
  }

  function newIntent(object: Recorded['object'], params: Params): Recorded {
    const { payment_method, return_url = '', capture_method } = params
    const number = payment_method === undefined ? null : (methods.get(payment_method) ?? null)
    if (payment_method !== undefined && number === null)
      refuse('No such PaymentMethod', 'resource_missing')
    if (params.confirm !== 'true') refuse('Only confirmed intents are used.', 'parameter_missing')
    const type = params['allowed_payment_method_types[0]'] ?? 'card'
    const of_type = number === null ? params['payment_method_data[type]'] : 'card'
    if (type !== of_type) refuse(`The payment method is not of type ${type}.`)
    return {
      id: newId(object === 'payment_intent' ? 'pi' : 'seti'),
      object,
      status: 'requires_confirmation',
      number,
      types: [type],
      created: seconds(),
      customer: params.customer ?? null,
      email: params['payment_method_data[billing_details][email]'] ?? null,
      amount: Number(params.amount ?? 0),
      currency: params.currency ?? '',
      manual: capture_method === 'manual',
      received: 0,
      refunded: 0,
      canceled_by: null,
      error: null,
      authenticated: false,
      return_url,
      metadata: metadataOf(params),
    }
  }

  /** A refund of what a customer has on their account. */
  function returnCash(params: Params): object {
    const amount = checkAmount(params.amount, params.currency ?? '')
    deposits.sendBack(params, amount)
    const of = { amount, currency: params.currency ?? '', metadata: metadataOf(params) }
    const refund = {
      id: newId('re'),
      payment_intent: null,
      created: seconds(),
      ...of,
      status: 'succeeded',
    }
    refunds.set(refund.id, refund)
    return showRefund(refund)
  }

  const three_digits = ['bhd', 'jod', 'kwd', 'omr', 'tnd']

  function checkAmount(text: string | undefined, currency: string): number {
    if (!/^[1-9]\d{0,7}$/.test(text ?? '')) refuse('Invalid integer', 'parameter_invalid_integer')
    if (!/^[a-z]{3}$/.test(currency)) refuse('Currencies are lowercase.', 'invalid_currency')
    const amount = Number(text)
    if (three_digits.includes(currency) && amount % 10 !== 0) refuse('The last digit must be 0.')
    return amount
  }

  const acts: Record<RouteName, (params: Params, id: string) => object> = {
    balance: () => ({
      object: 'balance',
      livemode: false,
      available: [{ amount: 0, currency: 'jpy' }],
    }),
    create_method: (params) => {
      if (params.type !== 'card') refuse('Only cards are stored.')
      const id = newId('pm')
      methods.set(id, params['card[number]'] ?? '')
      return { id, object: 'payment_method', type: 'card' }
    },
    create_intent: (params) => {
      checkAmount(params.amount, params.currency ?? '')
      const one = newIntent('payment_intent', params)
      if (faults.has('wrong_digits') && one.currency === 'kwd') one.amount /= 10
      intents.set(one.id, one)
      confirm(one, params, true)
      return show(one)
    },
    create_setup: (params) => {
      const one = newIntent('setup_intent', params)
      intents.set(one.id, one)
      confirm(one, params, false)
      return show(one)
    },
    search_intents: ({ query = '' }) => {
      const [, id] =
        /^metadata\['kaikei_charge_id'\]:'([0-9a-f-]{36})'$/.exec(query) ?? refuse('query')
      // What was made a moment ago is not found yet.
      const known = faults.has('search_lags') ? [] : [...intents.values()]
      const found = known.filter(
        (one) => one.object === 'payment_intent' && one.metadata.kaikei_charge_id === id,
      )
      return { object: 'search_result', url: '/', has_more: false, data: found.map(show) }
    },
    get_intent: (_, id) => show(find(id)),
    get_setup: (_, id) => show(find(id)),
    capture_intent: (params, id) => {
      const one = find(id)
      if (one.status !== 'requires_capture') unexpected(one, 'capture')
      const amount = checkAmount(params.amount_to_capture ?? String(one.amount), one.currency)
      if (amount > one.amount && !faults.has('over_capture')) {
        refuse('You cannot capture more than is held.', 'amount_too_large')
      }
      one.status = 'succeeded'
      one.received = amount
      balance.bookPayment(one)
      return show(one)
    },
    cancel_intent: (_, id) => {
      const one = find(id)
      const can_be_ended = faults.has('voids_captured') && !one.manual
      const is_captured = one.status === 'succeeded' && !can_be_ended
      if (is_captured || one.status === 'canceled') unexpected(one, 'cancel')
      one.status = 'canceled'
      deposits.release(one)
      return show(one)
    },
    cancel_setup: (_, id) => {
      const one = find(id)
      if (one.status === 'succeeded' || one.status === 'canceled') {
        refuse('This SetupIntent cannot be canceled.', 'setup_intent_unexpected_state')
      }
      one.status = 'canceled'
      return show(one)
    },
    create_refund: (params) => {
      if (params.origin === 'customer_balance') return returnCash(params)
      const one = find(params.payment_intent ?? '')
      if (one.status !== 'succeeded') unexpected(one, 'refund')
      const amount = checkAmount(params.amount, one.currency)
      if (amount > one.received - one.refunded && !faults.has('over_refund')) {
        refuse('Refund amount is greater than unrefunded amount on charge')
      }
      const is_cash = one.types[0] === 'konbini'
      if (is_cash && params.instructions_email !== one.email) refuse('The e-mail is missing.')
      const later = is_cash ? 'requires_action' : 'pending'
      const status = is_cash || faults.has('pending_refund') ? later : 'succeeded'
      const metadata = metadataOf(params)
      const { id: payment_intent, currency } = one
      const of = { payment_intent, created: seconds(), amount, currency, metadata }
      const refund = { id: newId('re'), ...of, status }
      refunds.set(refund.id, refund)
      if (status === 'succeeded') balance.bookRefund(refund)
      one.refunded += amount
      return showRefund(refund)
    },
    list_refunds: ({ payment_intent, ...range }) => {
      const found = [...refunds.values()].filter((one) =>
        payment_intent ? one.payment_intent === payment_intent : isWithin(one.created, range),
      )
      return { object: 'list', url: '/v1/refunds', has_more: false, data: found.map(showRefund) }
    },
    get_refund: (_, id) =>
      showRefund(refunds.get(id) ?? refuse('No such refund', 'resource_missing')),
    balance_transactions: balance.list,
    ...disputes.acts,
    ...deposits.acts,
  }

  return { acts, intents, refunds, disputes, deposits, balance, pass, show }
}

function isByDeposit({ types }: Recorded): boolean {
  return types[0] === 'konbini' || types[0] === 'customer_balance'
}

function isWithin(created: number, range: Params): boolean {
  return created >= Number(range['created[gte]']) && created <= Number(range['created[lte]'])
}
