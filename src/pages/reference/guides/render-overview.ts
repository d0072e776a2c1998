import { errorName, errors } from '../../../core/api/errors.ts'
import { rate_limits, resource_limits } from '../../../core/limits/limits.ts'
import { namesOf } from '../../../core/table-names.ts'
import { code, type Html, html, prose, table } from '../../frame/escaped-html.ts'
import { card, codeBlock } from '../../frame/page-parts.ts'
import { notations, writeLiteral } from '../read/write-literal.ts'
import type { Rendering } from '../rendering.ts'
import { type OverviewTexts, overview_texts, type SectionName } from './overview-texts.ts'

/** Rules for every operation. Numbers and names come from the tables that the service uses. */
export function renderOverview(rendering: Rendering): Html {
  const texts = overview_texts[rendering.language]
  const { base_url, api } = rendering
  const { version } = api.description.info
  const sections = namesOf(texts.sections).map((id) => {
    const { title, paragraphs } = texts.sections[id]
    const { below, beside } = extras(texts, base_url)[id] ?? {}
    return html`<section class="entry" id="${id}"><div class="text"><h2><a href="#${id}">${title}</a></h2>
${paragraphs.map((text) => html`<p>${prose(text)}</p>`)}${below ?? null}</div>
<div class="code">${beside ?? null}</div></section>
`
  })
  return html`<div class="intro"><div class="text"><h1>${texts.heading}</h1>
<p class="lead">${texts.lead}</p></div>
<div class="code">${card(texts.base_url, codeBlock('text', base_url))}
<p class="quiet">${texts.as_data}: <a href="/openapi.json">openapi.json</a> · ${version}</p></div></div>
${sections}`
}

interface Extra {
  readonly below?: Html
  readonly beside?: Html
}

function extras(texts: OverviewTexts, base_url: string): Partial<Record<SectionName, Extra>> {
  return {
    'quick-start': { beside: card('curl', codeBlock('curl', firstCalls(base_url))) },
    authentication: {
      beside: card('HTTP', codeBlock('text', 'Authorization: Bearer <secret>.<jwt>')),
    },
    idempotency: { below: table([...texts.status_headings], statusRows(texts)) },
    errors: {
      below: html`<p><a href="/docs/errors">/docs/errors</a></p>`,
      beside: card('400', codeBlock('json', writeLiteral(error_example, notations.json))),
    },
    pagination: {
      beside: card('HTTP', codeBlock('text', 'GET /charges?limit=50&cursor=<id of the last item>')),
    },
    'rate-limits': { below: table([...texts.rate_headings], rateRows(texts)) },
    limits: { below: table([...texts.limit_headings], limitRows()) },
    webhooks: {
      below: html`<p><a href="/docs/event-types">/docs/event-types</a></p>`,
      beside: card('HTTP', codeBlock('text', delivery_example)),
    },
  }
}

/** From nothing to a charge and a page for a customer, pasted as it is into the shell of a clone. */
export function firstCalls(base_url: string): string {
  return `CREDENTIALS=$(npm run -s credentials)
field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
demo() { echo "$CREDENTIALS" | field "$1"; }
AUTH="Authorization: Bearer $(demo secret).$(demo jwt)"
JSON="Content-Type: application/json"

# A transaction token: how the customer pays
TOKEN_ID=$(curl -s ${base_url}/tokens -H "$AUTH" -H "$JSON" -d '{
  "payment_type": "card",
  "email": "taro@example.com",
  "data": {
    "cardholder": "Taro Yamada",
    "card_number": "4242424242424242",
    "exp_month": 12, "exp_year": 2030, "cvv": "123"
  }
}' | field id)

# A charge: how much
curl -s ${base_url}/charges -H "$AUTH" -H "$JSON" -d '{
  "transaction_token_id": "'$TOKEN_ID'",
  "amount": 1000,
  "currency": "JPY"
}' | field status

# A checkout session: open this address and pay
curl -s ${base_url}/checkout_sessions -H "$AUTH" -H "$JSON" -d '{
  "amount": 1000,
  "currency": "JPY",
  "success_url": "https://shop.example/thanks"
}' | field url`
}

const error_example = {
  status: 'error',
  code: 'VALIDATION_ERROR',
  name: errorName('VALIDATION_ERROR'),
  message: errors.VALIDATION_ERROR[1],
  errors: [{ field: 'currency', reason: 'REQUIRED_VALUE' }],
}

const delivery_example = `POST /hook
Content-Type: application/json
webhook-id: 019bbef4-9a60-76a0-a8b7-6f997c3640c7
webhook-timestamp: 1768435260
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"id": "019bbef4-…", "event": "charge_finished", "data": {…}}`

function statusRows({ statuses }: OverviewTexts): (Html | string)[][] {
  return Object.entries(statuses).map(([name, words]) => [code(name), words])
}

function rateRows({ rates }: OverviewTexts): (Html | string | number)[][] {
  return namesOf(rate_limits).map((name) => {
    const { per_minute, burst, remaining_header, rate_header } = rate_limits[name]
    return [rates[name], per_minute, burst, html`${code(remaining_header)} ${code(rate_header)}`]
  })
}

function limitRows(): (Html | string | number)[][] {
  return Object.entries(resource_limits).map(([name, { max, owner }]) => [code(name), max, owner])
}
