import { code, type Html, html, joined } from '../frame/escaped-html.ts'
import type { Schema } from './read/api-description.ts'
import type { Field, Shape } from './read/field-tree.ts'
import type { ReferenceTexts } from './reference-texts.ts'
import { describe, type Rendering } from './rendering.ts'

/** Nested fields are open on the first level, so that an object is understood at a glance. */
const open_levels = 1
/** More nested fields than this are folded, on every level. */
const max_open_fields = 12
/** Fewer fields are repeated wherever they occur. */
const min_linked_fields = 3
/** Longer lists of values are folded. */
const max_open_values = 10

/** The fields of an object. Each has an id, which begins with that of the list. */
export function renderFields(shape: Shape, id: string, rendering: Rendering, level = 0): Html {
  const { texts } = rendering
  const { fields, includes, variants } = shape
  const included = includes.map(
    ({ name, address }) =>
      html`<p class="also">${texts.all_fields_of} <a href="${address}">${name}</a></p>`,
  )
  const list =
    fields.length > 0
      ? html`<ul class="fields">${fields.map((field) => renderField(field, id, rendering, level))}</ul>`
      : null
  const forms = variants.map(({ name, title, shape: inner }) => {
    const variant_id = `${id}.${name.replaceAll(/\W+/g, '-')}`
    return html`<details class="variant" id="${variant_id}"><summary>${code(title)}</summary>
${renderFields(inner, variant_id, rendering, level + 1)}</details>`
  })
  return html`${included}${list}${forms}`
}

function renderField(field: Field, list_id: string, rendering: Rendering, level: number): Html {
  const { texts } = rendering
  const { name, type, required, nullable, description, schema, shape } = field
  const id = `${list_id}.${name}`
  const { of_response = false } = rendering
  const is_marked = required !== of_response
  const mark = of_response ? html` <i>${texts.optional}</i>` : html` <b>${texts.required}</b>`
  const notes = notesOf(schema, texts)
  return html`<li id="${id}"><a href="#${id}">${name}</a> <small>${type}${
    nullable ? html` · ${texts.optional_null}` : null
  }</small>${is_marked ? mark : null}
${description ? html`<p>${describe(rendering, asSentence(description))}</p>` : null}${
  notes.length > 0 ? html`<p class="notes">${joined(notes, ' ')}</p>` : null
}${renderNested(shape, id, rendering, level)}</li>
`
}

/** The anchor of the same fields on this page; null if not shown yet, or too few for a link. */
export function shownBefore({ shown }: Rendering, shape: Shape, id: string): string | null {
  const { name, fields, variants } = shape
  if (!name || fields.length + variants.length < min_linked_fields) return null
  const before = shown.get(name) ?? null
  if (before === null) shown.set(name, id)
  return before
}

function renderNested(shape: Shape, id: string, rendering: Rendering, level: number): Html | null {
  const { fields, includes, variants, name = '' } = shape
  const { texts } = rendering
  const count = fields.length + variants.length
  if (count === 0) return includes.length > 0 ? renderFields(shape, id, rendering, level + 1) : null
  const before = shownBefore(rendering, shape, id)
  if (before !== null) {
    return html`<p class="also">${texts.all_fields_of} <a href="#${before}">${name}</a></p>`
  }
  const is_open = level < open_levels && count <= max_open_fields
  return html`<details${is_open ? html` open` : null}><summary>${texts.fields(count)}</summary>
${renderFields(shape, id, rendering, level + 1)}</details>`
}

function asSentence(text: string): string {
  return `${text.trim().replace(/\.$/, '')}.`
}

/** The values of a field, as far as the schema defines them. */
export function notesOf(schema: Schema, texts: ReferenceTexts): Html[] {
  const { format, pattern, default: fallback, examples, items, const: only } = schema
  const allowed = schema.enum ?? items?.enum ?? (only === undefined ? undefined : [only])
  const values = allowed?.filter((value) => value !== null).map(String) ?? []
  const notes: (Html | null)[] = [
    values.length > 0 ? valueList(values, texts) : null,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    pattern && !format ? html`<code>${pattern}</code>` : null,
    fallback === undefined ? null : html`${texts.default}: ${code(JSON.stringify(fallback))}`,
    examples?.[0] === undefined ? null : html`${texts.example}: ${code(String(examples[0]))}`,
  ]
  return notes.filter((note) => note !== null)
}

function valueList(values: readonly string[], texts: ReferenceTexts): Html {
  const list = joined(values.map(code), ', ')
  if (values.length === 1) return list
  if (values.length <= max_open_values) return html`${texts.one_of} ${list}`
  return html`<details><summary>${texts.one_of} (${values.length})</summary>${list}</details>`
}

function range(min: number | undefined, max: number | undefined, unit: string): Html | null {
  if (min === undefined && max === undefined) return null
  if (min === undefined) return html`≤ ${shown(max)}${unit}`
  if (max === undefined) return html`≥ ${shown(min)}${unit}`
  return html`${shown(min)}–${shown(max)}${unit}`
}

function shown(value: number | undefined): string {
  return (value ?? 0).toLocaleString('en')
}
