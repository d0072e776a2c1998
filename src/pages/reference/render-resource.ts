import { type Html, html, prose } from '../frame/escaped-html.ts'
import { card, codeBlock } from '../frame/page-parts.ts'
import { objectExample } from './read/build-example.ts'
import { shapeOf } from './read/field-tree.ts'
import type { ApiOperation, ResourcePage } from './read/read-api.ts'
import { resourceName } from './read/resource-words.ts'
import { notations, writeLiteral } from './read/write-literal.ts'
import { renderFields } from './render-fields.ts'
import { common_errors_id, errorList, methodBadge, renderOperation } from './render-operation.ts'
import type { Rendering } from './rendering.ts'

/** A resource: what it is, its operations, then the objects that they return. */
export function renderResource(rendering: Rendering, page: ResourcePage): Html {
  const { texts, language } = rendering
  const { tag, description, operations, objects } = page
  const common = commonErrors(operations)
  const list = operations.map(
    ({ id, method, operation }) =>
      html`<li>${methodBadge(method)} <a href="#${id}">${operation.summary}</a></li>
`,
  )
  return html`<div class="intro"><div class="text"><h1>${resourceName(tag, language)}</h1>
<p class="lead" lang="en">${prose(description)}</p></div>
<nav class="code" aria-label="${texts.operations}">${card(
    texts.operations,
    html`<ul class="operations" lang="en">${list}${objects.map(
      (
        name,
      ) => html`<li><span class="method object">${texts.object}</span> <a href="#${name}">${name}</a></li>
`,
    )}</ul>`,
  )}</nav></div>
${operations.map((operation) => renderOperation(rendering, operation, common))}
${objects.map((name) => renderObject(rendering, name))}
${common.size > 0 ? renderCommonErrors(rendering, common) : null}`
}

/** Codes that every operation of a page can answer with are listed once. */
function commonErrors(operations: readonly ApiOperation[]): ReadonlySet<string> {
  const [first, ...others] = operations.map(({ error_codes }) => error_codes)
  if (!first || others.length === 0) return new Set()
  return new Set(first.filter((code) => others.every((codes) => codes.includes(code))))
}

function renderCommonErrors({ api, texts }: Rendering, codes: ReadonlySet<string>): Html {
  return html`<section class="entry" id="${common_errors_id}"><div class="text">
<h2><a href="#${common_errors_id}">${texts.common_errors}</a></h2>
${errorList(api, [...codes])}</div></section>
`
}

/** An object with all its fields and an example. On a page of its own it is the subject. */
export function renderObject(rendering: Rendering, name: string, is_subject = false): Html {
  const { api, texts } = rendering
  const schema = api.findSchema(name)
  const title = html`<a href="#${name}">${name}</a> <span class="kind">${texts.object}</span>`
  const example = writeLiteral(objectExample(api, name), notations.json)
  const shape = shapeOf(api, schema)
  // In what is sent to change something, every field is optional.
  const of_response = shape.fields.some(({ required }) => required)
  const fields = renderFields(shape, name, { ...rendering, of_response })
  return html`<section class="entry" id="${name}"><div class="text">
${is_subject ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
${schema.description ? html`<p lang="en">${prose(schema.description)}</p>` : null}
<div lang="en">${fields}</div></div>
<div class="code">${card(name, codeBlock('json', example))}</div>
</section>
`
}
