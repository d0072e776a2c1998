import { customs_places } from '../../../core/payments/customs.ts'
import { event_names } from '../../../events/event-names.ts'
import { konbini_chains } from '../../../methods/konbini/konbini-facts.ts'
import { brandsOf, factsOfBrand, method_facts } from '../../../methods/method-facts.ts'
import { online_brands } from '../../../methods/online/online-facts.ts'
import { test_scenarios } from '../../../simulator/test-scenarios.ts'
import { code, type Html, html, joined, prose, table } from '../../frame/escaped-html.ts'
import { card, codeBlock } from '../../frame/page-parts.ts'
import { nameOf, resolve, type WebhookOperation } from '../read/api-description.ts'
import { examplesOf } from '../read/build-example.ts'
import { readField, shapeOf } from '../read/field-tree.ts'
import { notations, writeLiteral } from '../read/write-literal.ts'
import type { ReferenceTexts } from '../reference-texts.ts'
import { renderFields } from '../render-fields.ts'
import { describe, type Rendering } from '../rendering.ts'
import { type GuideTexts, guide_texts } from './guide-texts.ts'
import { scenario_places } from './scenario-places.ts'

function page(title: string, lead: string, body: Html): Html {
  return html`<div class="intro"><div class="text"><h1>${title}</h1>
<p class="lead">${prose(lead)}</p></div></div>
${body}`
}

function section(id: string, title: string, body: Html): Html {
  return html`<section class="entry wide" id="${id}"><div class="text">
<h2><a href="#${id}">${title}</a></h2>${body}</div></section>
`
}

/** Every error code, reason and charge error, from the tables of the description. */
export function renderErrorPage(rendering: Rendering): Html {
  const { api, texts } = rendering
  const words = guide_texts[rendering.language]
  const {
    'x-errors': errors = {},
    'x-reasons': reasons = {},
    'x-charge-errors': payments = {},
  } = api.description
  const codes = Object.entries(errors)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([name, { status, message }]) => [anchor(name), status, message])
  const retries = words.retries.map(([response, advice]) => [prose(response), prose(advice)])
  return page(
    texts.pages.errors,
    words.errors_lead,
    html`${section('retry', words.retry, table([...words.retry_headings], retries))}
${section('codes', words.codes, table([...words.code_headings], codes))}
${section(
  'reasons',
  words.reasons,
  html`<p>${prose(words.reasons_lead)}</p>${table([...words.reason_headings], pairs(reasons, 'reason-'))}`,
)}
${section(
  'payments',
  words.payments,
  html`<p>${prose(words.payments_lead)}</p>${table([...words.payment_headings], pairs(payments))}`,
)}`,
  )
}

function pairs(rows: Readonly<Record<string, string>>, prefix = ''): (Html | string)[][] {
  return Object.entries(rows).map(([name, words]) => [anchor(name, prefix + name), words])
}

function anchor(name: string, id = name): Html {
  return html`<a class="name" id="${id}" href="#${id}">${name}</a>`
}

/** Every test scenario, by group, with the operations that it concerns. */
export function renderScenarioPage(rendering: Rendering): Html {
  const { texts } = rendering
  const words = guide_texts[rendering.language]
  const groups = [...new Set(test_scenarios.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const rows = test_scenarios
      .filter((one) => one.group === group)
      .map(({ id, trigger, effect }) => [
        html`<span class="target" id="${id}"></span>${prose(trigger)}`,
        prose(effect),
      ])
    const places = (scenario_places[group] ?? []).map((id) => describe(rendering, `\`${id}\``))
    return section(
      group.replaceAll(/\W+/g, '-'),
      group.charAt(0).toUpperCase() + group.slice(1),
      html`<p class="quiet">${words.concerns} ${joined(places, ', ')}</p>
${table([...words.scenario_headings], rows)}`,
    )
  })
  return page(texts.pages['test-scenarios'], words.scenarios_lead, html`${sections}`)
}

/** The accepted values of each payment type and brand, from the tables that decide them. */
export function renderMethodPage(rendering: Rendering): Html {
  const { texts } = rendering
  const words = guide_texts[rendering.language]
  return page(
    texts.pages['payment-methods'],
    words.methods_lead,
    html`${section('types', words.types, table([...words.method_headings], methodRows(words, texts)))}
${section('brands', words.brands, table([...words.brand_headings], brandRows(words)))}
${section('chains', words.chains, table([...words.chain_headings], chainRows(words)))}
${section('scanned', words.scanned_brands, names(brandsOf('qr_merchant'), words))}
${section('customs', words.customs, names(customs_places, words))}`,
  )
}

function names(list: readonly string[], { never }: GuideTexts): Html {
  return list.length > 0 ? joined(list.map(code), ', ') : html`${never}`
}

function methodRows(
  words: GuideTexts,
  { required, optional }: ReferenceTexts,
): (Html | string)[][] {
  const yes = (value: boolean) => (value ? words.yes : words.no)
  return Object.entries(method_facts).map(([name, method]) => [
    code(name),
    yes(method.repeatable !== false),
    yes(method.holds),
    yes(method.refundable),
    method.email === 'required' ? required : optional,
  ])
}

function brandRows(words: GuideTexts): (Html | string)[][] {
  return Object.entries(online_brands).map(([name, brand]) => [
    code(name),
    names(brand.call_methods, words),
    names(brand.user_identifier_for, words),
    names(brand.os_type_for, words),
    names(brand.ip_address_for, words),
    factsOfBrand('online', name)?.redirects ? words.yes : words.no,
  ])
}

function chainRows(words: GuideTexts): (Html | string)[][] {
  return Object.entries(konbini_chains).map(([name, chain]) => [
    code(name),
    chain.to_the_minute ? words.minute : words.day,
  ])
}

/** Every event that a webhook can ask for, with an example of its body. */
export function renderEventPage(rendering: Rendering): Html {
  const { api, texts } = rendering
  const words = guide_texts[rendering.language]
  const webhooks = Object.entries(api.description.webhooks ?? {})
  const [, first] = webhooks[0] ?? []
  const headers = (first?.post.parameters ?? [])
    .map((one) => resolve(one, api.description.components.parameters))
    .map(({ name, description = '', required, schema = {} }) =>
      readField(api, name, { ...schema, description }, required === true),
    )
  const fields = renderFields({ fields: headers, includes: [], variants: [] }, 'headers', rendering)
  const others = Object.entries(event_names).filter(([, { levels }]) => levels.length === 0)
  return page(
    texts.pages['event-types'],
    words.events_lead,
    html`${section('headers', words.delivery_headers, html`<div lang="en">${fields}</div>`)}
${webhooks.map(([name, { post }]) => renderEvent(rendering, words, name, post))}
${section(
  'feed',
  words.feed_only,
  html`<p>${prose(words.feed_only_lead)}</p><p>${names(
    others.map(([name]) => name),
    words,
  )}</p>`,
)}`,
  )
}

function renderEvent(
  rendering: Rendering,
  words: GuideTexts,
  name: string,
  post: WebhookOperation,
): Html {
  const { api } = rendering
  const content = post.requestBody?.content?.['application/json'] ?? null
  const [example] = examplesOf(api, content, 'response')
  const shape = shapeOf(api, content?.schema ?? {})
  const data = shape.fields.filter((field) => field.name === 'data')
  const schema_name = content?.schema?.$ref ? nameOf(content.schema.$ref) : ''
  const value = { ...(example?.value as object), ...(content?.example ? {} : { event: name }) }
  return html`<section class="entry" id="${name}"><div class="text">
<h2><a href="#${name}"><code>${name}</code></a></h2>
${post.description ? html`<p lang="en">${prose(post.description)}</p>` : null}
<p class="quiet">${words.levels}: ${(post['x-levels'] ?? []).join(', ')} · ${schema_name}</p>
<div lang="en">${renderFields({ fields: data, includes: [], variants: [] }, name, rendering, 1)}</div>
</div><div class="code">${card(name, codeBlock('json', writeLiteral(value, notations.json)))}</div></section>
`
}
