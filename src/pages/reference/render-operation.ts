import { code, type Html, html, joined, prose } from '../frame/escaped-html.ts'
import { card, codeBlock } from '../frame/page-parts.ts'
import type { SectionName } from './guides/overview-texts.ts'
import { scenariosOf } from './guides/scenario-places.ts'
import { nameOf, type Parameter, type Schema } from './read/api-description.ts'
import { type Example, examplesOf } from './read/build-example.ts'
import { type Field, readField, type Shape, shapeOf, typeOf } from './read/field-tree.ts'
import { type Api, type ApiOperation, itemOf } from './read/read-api.ts'
import { canBeTried, isIdempotent } from './read/try-data.ts'
import { notations, writeLiteral } from './read/write-literal.ts'
import { writeSample } from './read/write-samples.ts'
import type { ReferenceTexts } from './reference-texts.ts'
import { renderFields, shownBefore } from './render-fields.ts'
import { describe, type Rendering, sample_languages } from './rendering.ts'

export function renderOperation(
  rendering: Rendering,
  operation: ApiOperation,
  common: ReadonlySet<string>,
): Html {
  const { texts } = rendering
  const { id, operation: described, others } = operation
  return html`<section class="entry operation" id="${id}"${canBeTried(operation) ? html` data-try` : null}>
<div class="text">
${others.map((other) => html`<span class="target" id="${other.id}"></span>`)}
<h2><a href="#${id}">${described.summary}</a></h2>
<p class="call">${methodBadge(operation.method)} ${breakable(operation.path)}</p>
${described.description ? html`<p lang="en">${describe(rendering, described.description)}</p>` : null}
<p class="quiet">${accessWords(operation, texts)}${conventions(operation, texts)}</p>
${
  others.length > 0
    ? html`<p class="quiet also">${texts.also_at} ${joined(
        others.map(({ path }) => breakable(path)),
        ' ',
      )}</p>`
    : null
}
${renderParameters(rendering, operation)}
${renderBody(rendering, operation)}
${renderReturns(rendering, operation)}
${renderErrors(rendering, operation, common)}
${renderScenarios(operation, texts)}
</div>
<div class="code">${renderSamples(rendering, operation)}</div>
</section>
`
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** The overview's section about operations like this one. */
function conventions(operation: ApiOperation, texts: ReferenceTexts): Html {
  const { idempotent, paginated } = texts
  return html`${isIdempotent(operation) ? overviewLink('idempotency', idempotent, texts) : null}${
    isPaginated(operation) ? overviewLink('pagination', paginated, texts) : null
  }`
}

function overviewLink(id: SectionName, words: string, { gap }: ReferenceTexts): Html {
  return html`${gap}<a href="/docs#${id}">${prose(words)}</a>`
}

/** A path that may be broken after a slash. */
function breakable(path: string): Html {
  const parts = path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)
  return html`<code class="path">${parts}</code>`
}

function accessWords({ operation }: ApiOperation, texts: ReferenceTexts): string {
  const { level = 'any', without_secret = 'never' } = operation['x-access'] ?? {}
  const browser = without_secret === 'never' ? '' : texts.gap + texts.without_secret[without_secret]
  return texts.access[level] + browser
}

function fieldOf(api: Api, { name, required, description, schema = {} }: Parameter): Field {
  const described = description ? { ...schema, description } : schema
  return readField(api, name, described, required === true)
}

/** The overview describes the parameters of every list. */
const pagination: readonly string[] = ['limit', 'cursor', 'cursor_direction']

function isPaginated({ parameters }: ApiOperation): boolean {
  return pagination.every((name) => parameters.some((one) => one.name === name))
}

function renderParameters(rendering: Rendering, operation: ApiOperation): Html {
  const { api, texts } = rendering
  const { id, parameters } = operation
  const places = [
    ['path', texts.path_fields],
    ['query', texts.query_fields],
  ] as const
  return html`${places.map(([place, heading]) => {
    const own = parameters.filter((one) => one.in === place && !pagination.includes(one.name))
    const fields = own.map((one) => fieldOf(api, one))
    if (fields.length === 0) return null
    const name = place === 'query' ? JSON.stringify(own) : ''
    const shape = { fields, includes: [], variants: [], name }
    return html`<h3>${heading}</h3><div lang="en">${renderShape(rendering, shape, id)}</div>`
  })}`
}

function renderBody(rendering: Rendering, { id, body }: ApiOperation): Html | null {
  const { api, texts } = rendering
  if (!body?.schema) return null
  const shape = { ...shapeOf(api, body.schema), name: nameOf(body.schema.$ref ?? '') }
  if (shape.fields.length + shape.variants.length + shape.includes.length === 0) return null
  return html`<h3>${texts.body_fields}</h3><div lang="en">${renderShape(rendering, shape, id)}</div>`
}

/** The fields of an operation, or a link to the operation that has shown the same ones. */
function renderShape(rendering: Rendering, shape: Shape, id: string): Html {
  const before = shownBefore(rendering, shape, id)
  if (before === null) return renderFields(shape, id, rendering)
  return html`<p class="also">${rendering.texts.all_fields_of} <a href="#${before}">${before}</a></p>`
}

function renderReturns({ api, texts }: Rendering, { success }: ApiOperation): Html {
  const { status, content } = success
  const heading = html`<h3>${texts.returns} <span class="status">${status}</span></h3>`
  if (!content?.schema) return html`${heading}<p class="quiet">${texts.returns_nothing}</p>`
  const item = itemOf(content.schema, api.description.components.schemas)
  const words = item ? html`${texts.list_of} ` : null
  return html`${heading}<p class="quiet">${words}${schemaLinks(api, item ?? content.schema)}</p>`
}

function schemaLinks(api: Api, schema: Schema): Html {
  const forms = schema.$ref ? [schema] : (schema.oneOf ?? schema.anyOf ?? [])
  const links = forms.map(({ $ref = '' }) => {
    const name = nameOf($ref)
    const address = api.addressOf(name)
    return address ? html`<a href="${address}">${name}</a>` : code(name)
  })
  return links.length > 0 ? joined(links, ', ') : code(typeOf(api, schema))
}

/** The anchor of a page's list of errors. */
export const common_errors_id = 'common-errors'

/** Codes of the operation with their sentences, and whether the payment itself can fail later. */
function renderErrors(
  { api, texts }: Rendering,
  operation: ApiOperation,
  common: ReadonlySet<string>,
): Html {
  const codes = operation.error_codes
  const own = codes.filter((code) => !common.has(code))
  const rest =
    common.size > 0 ? html`<p><a href="#${common_errors_id}">${texts.common_errors}</a></p>` : null
  const list = html`<details class="folded"><summary>${texts.errors(codes.length)}</summary>
${errorList(api, own)}${rest}</details>`
  const later = html`<p class="quiet"><a href="/docs/errors#payments">${prose(texts.payment_errors)}</a></p>`
  return html`${codes.length > 0 ? list : null}${canFailLater(api, operation) ? later : null}`
}

export function errorList(api: Api, codes: readonly string[]): Html {
  const table = api.description['x-errors'] ?? {}
  const rows = codes.map((name) => {
    const { status = '', message = '' } = table[name] ?? {}
    return html`<li><a href="/docs/errors#${name}">${code(name)}</a> <span class="status">${status}</span>
<span>${message}</span></li>
`
  })
  return html`<ul class="errors" lang="en">${rows}</ul>`
}

function canFailLater(api: Api, { success, method }: ApiOperation): boolean {
  const { $ref } = success.content?.schema ?? {}
  if (!$ref || method !== 'POST') return false
  const { error } = api.findSchema(nameOf($ref)).properties ?? {}
  return error !== undefined && JSON.stringify(error).includes('PaymentError')
}

function renderScenarios({ id }: ApiOperation, texts: ReferenceTexts): Html | null {
  const rows = scenariosOf(id)
  if (rows.length === 0) return null
  return html`<details class="folded"><summary>${texts.scenarios(rows.length)}</summary>
<ul class="errors" lang="en">${rows.map(
    ({ trigger, effect }) => html`<li>${prose(trigger)} <span>${prose(effect)}</span></li>
`,
  )}</ul></details>`
}

function renderSamples(rendering: Rendering, operation: ApiOperation): Html {
  const { api, texts, samples } = rendering
  const { success } = operation
  const requests = examplesOf(api, operation.body, 'request')
  const [first, ...rest] = examplesOf(api, success.content, 'response')
  const sample = codeBlock(samples, writeSample(rendering, operation, requests[0]?.value))
  const request = html`${sample}${requests.slice(1).map(foldedExample)}`
  const shown = html`${first ? jsonBlock(first) : null}${rest.map(foldedExample)}`
  const status = html`<span class="status">${success.status}</span>`
  const choice = languageChoice(rendering, operation.id)
  return html`<div class="samples">${card(texts.request, request, choice)}</div>
${first ? card(texts.response, shown, status) : null}`
}

function jsonBlock({ value }: Example): Html {
  return codeBlock('json', writeLiteral(value, notations.json))
}

function foldedExample(example: Example): Html {
  return html`<details><summary>${example.name}</summary>${jsonBlock(example)}</details>`
}

/** Links, so that the choice works without scripts. */
function languageChoice({ texts, samples }: Rendering, id: string): Html {
  const links = Object.entries(sample_languages).map(([language, name]) => {
    const current = language === samples ? html` aria-current="true"` : null
    return html`<a href="?samples=${language}#${id}"${current}>${name}</a>`
  })
  return html`<div class="languages" role="group" aria-label="${texts.language_choice}">${links}</div>`
}
