const markup = Symbol('markup')

/** Markup that is safe to send. Data from elsewhere can never have this type. */
export interface Html {
  readonly [markup]: string
}

type Part = Html | string | number | null | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function write(part: Part): string {
  if (part === null) return ''
  if (Array.isArray(part)) return part.map(write).join('')
  if (typeof part === 'object' && markup in part) return part[markup]
  return String(part).replace(/[&<>"']/g, (char) => entities[char] ?? '')
}

/** Writes markup: the template text as it is, everything interpolated escaped. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  const written = texts.map((text, index) => text + write(parts[index] ?? null))
  return { [markup]: written.join('') }
}

/** A drawing or a document of ours, as it is. Nothing in it comes from elsewhere. */
export function drawn(text: string): Html {
  return { [markup]: text }
}

export function markupOf(page: Html): string {
  return page[markup]
}

/** A sentence of ours, in which text between backticks is code, written by a function. */
export function prose(text: string, writeCode = code): Html {
  const pieces = text.split('`')
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? writeCode(piece) : html`${piece}`))}`
}

export function joined(parts: Html[], separator: string): Html {
  return html`${parts.map((part, index) => (index > 0 ? [separator, part] : part))}`
}

export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** A table with a heading row. The first cell of a row names it; on a phone cells are labelled. */
export function table(headings: string[], rows: (Html | string | number)[][]): Html {
  const [, ...labels] = headings
  const body = rows.map(
    ([name = '', ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map(
      (cell, at) => html`<td data-label="${labels[at] ?? ''}">${cell}</td>`,
    )}</tr>
`,
  )
  return html`<table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${body}</tbody>
</table>`
}

/** Lines of code. Quotes mean nothing between tags: they stay, which makes samples a third shorter. */
export function codeLines(text: string): Html {
  const escaped = text.replace(/[&<>]/g, (char) => entities[char] ?? '')
  return { [markup]: `<code>${escaped}</code>` }
}
