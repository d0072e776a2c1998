import { customs_places } from '../core/customs.ts'
import { errorName, errors, reasons } from '../core/errors.ts'
import {
  idempotency_limits,
  metadata_limits,
  page_limits,
  rate_limits,
  request_limits,
  resource_limits,
} from '../core/limits/limits.ts'
import {
  konbini_chains,
  online_brands,
  payment_methods,
  qr_merchant_brands,
} from '../core/payment-methods.ts'
import { day_ms } from '../core/time/clock.ts'
import { event_names } from '../events/event-names.ts'
import { test_scenarios } from '../providers/simulator/test-scenarios.ts'
import { code, type Html, html, joined, prose, table } from './escaped-html.ts'

/** A chapter of the documents before the routes. */
export interface Chapter {
  readonly id: string
  readonly title: string
  readonly body: Html
}

/** What applies to every route. Numbers and names come from the tables that the service uses. */
export function writeGuide(base_url: string): Chapter[] {
  return [
    { id: 'authentication', title: 'Authentication', body: authentication() },
    { id: 'quick-start', title: 'Quick start', body: quickStart(base_url) },
    { id: 'rate-limits', title: 'Rate limits', body: rateLimits() },
    { id: 'limits', title: 'Other limits', body: otherLimits() },
    { id: 'pagination', title: 'Pagination', body: pagination() },
    { id: 'idempotency', title: 'Idempotency', body: idempotency() },
    { id: 'errors', title: 'Errors', body: errorTables() },
    { id: 'payment-methods', title: 'Payment methods', body: paymentMethods() },
    { id: 'customs', title: 'Customs declarations', body: customs() },
    { id: 'test-mode', title: 'Test mode', body: testMode() },
    { id: 'events', title: 'Events', body: events() },
  ]
}

function paragraphs(...texts: string[]): Html {
  return html`${texts.map((text) => html`<p>${prose(text)}</p>`)}`
}

function authentication(): Html {
  return html`${paragraphs(
    'Every request carries an application token: its secret and its JWT, joined by a dot.',
  )}
<pre>Authorization: Bearer &lt;secret&gt;.&lt;jwt&gt;</pre>
${paragraphs(
  'A token of a store sees that store, in its mode: `test` or `live`. A token of the merchant sees ' +
    'all stores of the merchant. Each route says which of them it accepts.',
  'The secret is shown once, when the token is created, and belongs on your server. Where a route ' +
    'accepts the JWT alone, a browser may call it from the domains of the token.',
  'Resources of another merchant or store are `404`, like unknown ids.',
)}`
}

function quickStart(base_url: string): Html {
  return html`${paragraphs(
    'The first start creates a demo merchant with a store. `npm run -s credentials` prints its ' +
      'credentials.',
  )}
<pre>BASE_URL=${base_url}
AUTH="Authorization: Bearer &lt;secret&gt;.&lt;jwt&gt;"

# a transaction token of a test card; the response has its id
curl "$BASE_URL/tokens" -H "$AUTH" -H "Content-Type: application/json" -d '{
  "payment_type": "card", "email": "taro@example.com", "data": {
    "cardholder": "Taro Yamada", "card_number": "4242424242424242",
    "exp_month": 12, "exp_year": 2030, "cvv": "123" } }'

# a charge with it: pending at first, successful a moment later
curl "$BASE_URL/charges" -H "$AUTH" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: my-first-charge" -d '{
  "transaction_token_id": "&lt;id&gt;", "amount": 1000, "currency": "JPY" }'</pre>`
}

const rate_words = {
  charge: 'Creating tokens, charges and subscriptions, together',
  route: 'Every other route, whatever the ids in its path',
  exact: 'Every other route, per exact path and query',
} as const satisfies Record<keyof typeof rate_limits, string>

function rateLimits(): Html {
  const rows = Object.entries(rate_limits).map(([name, limit]) => [
    rate_words[name as keyof typeof rate_words],
    limit.per_minute,
    limit.burst,
    html`${code(limit.remaining_header)} ${code(limit.rate_header)}`,
  ])
  return html`${paragraphs(
    'Each application token has its own allowance; requests without one share that of their ' +
      'address. The burst is the maximum of requests at once, and the allowance refills ' +
      'evenly at the rate per minute.',
    'Responses say what is left. Beyond a limit the response is `429` `BAD_REQUEST`, and ' +
      '`Retry-After` says how many seconds to wait.',
  )}${table(['Applies to', 'Per minute', 'Burst', 'Headers'], rows)}`
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function otherLimits(): Html {
  const resources = Object.entries(resource_limits).map(([name, { max, owner }]) => [
    words(name),
    max,
    owner,
  ])
  const { body_bytes, url_bytes, json_depth, json_keys } = request_limits
  const { bytes, keys, depth, key_length } = metadata_limits
  return html`${paragraphs('Active resources are limited; one more is `400` `RESOURCE_LIMIT_REACHED`.')}
${table(['Resource', 'At most', 'Per'], resources)}
${paragraphs(
  `A body has at most ${body_bytes / 1024} KB, ${json_keys} keys and ${json_depth} levels, a ` +
    `URL ${url_bytes / 1024} KB. Unknown fields of a body are ignored.`,
  `\`metadata\` is a JSON object of at most ${bytes / 1024} KB with ${keys} keys of up to ` +
    `${key_length} characters, nested ${depth} levels deep. A change adds and replaces keys; the ` +
    'others stay.',
)}`
}

function pagination(): Html {
  return paragraphs(
    'Lists are sorted by creation, newest first, and return `items` and `has_more`.',
    `\`limit\` is the length of a page: ${page_limits.min} to ${page_limits.max}, ` +
      `${page_limits.default} when not given. For the next page send the id of the last item as ` +
      '`cursor`. `cursor_direction` is `desc` or, for oldest first, `asc`.',
  )
}

function idempotency(): Html {
  const hours = (idempotency_limits.stored_ms / day_ms) * 24
  return html`${paragraphs(
    'A `POST` or `PATCH` with an `Idempotency-Key` can be repeated safely: the change is made ' +
      `once, and for ${hours} hours the same request gets the same response. A key has 1 to ` +
      `${idempotency_limits.key_length} letters, digits and \`._:/+=@~|#-\`. It belongs to one ` +
      'merchant and mode.',
    'Only a successful response is stored; after an error the key is unused. The same key with ' +
      'another request, or while the first one is still running, is `409` ' +
      '`IDEMPOTENCY_KEY_CONFLICT`. The header `Idempotency-Status` says what happened:',
  )}${table(
    ['Status', 'Meaning'],
    [
      [code('successfully_stored'), 'The change was made and its response is stored.'],
      [code('retrieved_idempotent_response'), 'This is the response of the first request.'],
      [code('conflicting_key'), 'The key belongs to another request, or one that is running.'],
      [code('not_stored'), 'The request was refused; nothing is stored.'],
    ],
  )}`
}

function errorTables(): Html {
  const codes = Object.keys(errors) as (keyof typeof errors)[]
  const rows = codes
    .map((name) => ({ name, status: errors[name][0], message: errors[name][1] }))
    .sort((a, b) => a.status - b.status)
    .map(({ name, status, message }) => [code(name), status, message])
  const example = {
    status: 'error',
    code: 'VALIDATION_ERROR',
    name: errorName('VALIDATION_ERROR'),
    message: errors.VALIDATION_ERROR[1],
    errors: [{ field: 'url', reason: 'REQUIRED_VALUE' }],
  }
  return html`${paragraphs(
    'Every error has the same body. Decide by `code`; `message` is for people and may change. ' +
      'Every response has an `X-Request-Id`, which finds the request in the log.',
  )}<pre>${JSON.stringify(example, null, 2)}</pre>
${table(['Code', 'Status', 'Message'], rows)}
<p>The <code>reason</code> of a field is one of ${joined(Object.keys(reasons).map(code), ', ')}.</p>`
}

function names(list: readonly string[]): Html | string {
  return list.length > 0 ? joined(list.map(code), ', ') : 'never'
}

/** What each payment type and brand accepts, from the tables that decide it. */
function paymentMethods(): Html {
  const yes = (value: boolean) => (value ? 'yes' : 'no')
  const types = Object.entries(payment_methods).map(([name, method]) => [
    code(name),
    yes(method.repeatable),
    yes(method.holds),
    yes(method.refundable),
    method.email,
  ])
  const brands = Object.entries(online_brands).map(([name, brand]) => [
    code(name),
    names(brand.call_methods),
    names(brand.user_identifier_for),
    names(brand.os_type_for),
    names(brand.ip_address_for),
    yes(brand.redirects),
  ])
  const chains = Object.entries(konbini_chains).map(([name, chain]) => [
    code(name),
    chain.to_the_minute ? 'the minute' : 'the day',
  ])
  return html`${paragraphs(
    'A card charge is settled in a moment. A charge for which the customer must act becomes ' +
      '`awaiting`; its issuer token says where they go or what they need.',
  )}${table(['Payment type', 'Recurring', 'Hold first', 'Refund', 'E-mail'], types)}
${paragraphs('`online`, by brand: how it is called, and which fields that needs.')}
${table(
  ['Brand', 'Call methods', 'user_identifier for', 'os_type for', 'ip_address for', 'Redirect'],
  brands,
)}
${paragraphs('`konbini`, by chain: the precision of the expiry')}
${table(['Chain', 'To'], chains)}
<p>Brands of <code>qr_merchant</code>: ${names(Object.keys(qr_merchant_brands))}.</p>`
}

function customs(): Html {
  return html`${paragraphs(
    'A `successful` charge of the brand `we_chat_online` can be declared to customs: once, and ' +
      'again after it failed. A declaration is `pending` until customs have responded; with ' +
      '`polling=true` its `GET` waits for that, up to 30 seconds.',
    'A successful declaration is changed with `PATCH`, all but its office, and is `pending` again. ' +
      'Only responses of these routes identify the customer: in events `certificate_id` ' +
      'and `certificate_name` are `****`.',
  )}<p>The offices are ${joined(customs_places.map(code), ', ')}.</p>`
}

function testMode(): Html {
  const rows = test_scenarios.map(({ lever, effect, group }) => [
    prose(lever),
    prose(effect),
    group,
  ])
  return html`${paragraphs(
    'Test mode moves no money. `GET /test/scenarios` has this table as data, and `POST /test/clock` ' +
      'moves time forward: everything that becomes due happens, in order and at its own time.',
  )}${table(['Test scenario', 'Effect', 'For'], rows)}`
}

function events(): Html {
  const rows = Object.entries(event_names).map(([name, { levels }]) => [
    code(name),
    levels.length > 0 ? levels.join(', ') : 'only in the feed',
  ])
  return html`${paragraphs(
    'An event is recorded in the same transaction as its change. A ' +
      'webhook lists its events in `triggers`.',
    'It is posted with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` ' +
      '(Standard Webhooks). Verify them, process each `id` once, let the greatest `sequence` of a ' +
      '`resource_id` win, and respond with 2xx within three seconds. Other responses are retried, ten ' +
      'attempts in about three days; a redirect or 410 disables the webhook immediately.',
    '`GET /events?cursor_direction=asc&cursor=ID&polling=true` reads the same events in the order ' +
      'in which they were committed. `kaikei listen --forward-to URL` posts them to a program ' +
      'under development, and `kaikei trigger EVENT` causes one.',
  )}${table(['Event', 'Webhooks of'], rows)}`
}
