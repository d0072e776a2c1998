import { type Html, markupOf } from '../../frame/escaped-html.ts'

/** A part of a page of ours: text, or an element with its parts. */
type Part = string | Element

interface Element {
  readonly name: string
  readonly attributes: string
  readonly parts: Part[]
}

/** A page as Markdown, from the markup that we have written: it has balanced tags and no stray `<`. */
export function pageMarkdown(page: Html): string {
  const text = writeParts(readMarkup(markupOf(page)), '')
  return `${text
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

const empty_elements = new Set(['wbr', 'br', 'img', 'input'])

function readMarkup(markup: string): Part[] {
  const root: Element = { name: 'root', attributes: '', parts: [] }
  const open = [root]
  for (const [text, closing, name = '', attributes = ''] of markup.matchAll(
    /<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g,
  )) {
    const parent = open.at(-1) ?? root
    if (!text.startsWith('<')) parent.parts.push(unescaped(text))
    else if (closing) open.pop()
    else {
      const element = { name, attributes, parts: [] }
      parent.parts.push(element)
      if (!empty_elements.has(name)) open.push(element)
    }
  }
  return root.parts
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
}

function attributeOf({ attributes }: Element, name: string): string {
  return unescaped(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
}

/** All text below, unchanged. */
function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : textOf(part.parts))).join('')
}

const writeParts = (parts: readonly Part[], indent: string): string =>
  parts.map((part) => writePart(part, indent)).join('')

/** One line, as in a heading or a cell. */
function lineOf({ parts }: Element): string {
  return writeParts(parts, '').replaceAll(/\s+/g, ' ').trim()
}

type Write = (element: Element, indent: string) => string

const inBlock: Write = (element, indent) => `\n\n${indent}${lineOf(element)}\n\n`
const heading: Write = (element) =>
  `\n\n${'#'.repeat(Number(element.name.slice(1)))} ${lineOf(element)}\n\n`

const writers: Readonly<Record<string, Write>> = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  p: inBlock,
  summary: (element, indent) => `\n\n${indent}**${lineOf(element)}**\n\n`,
  pre: (element) => {
    const language = attributeOf(element, 'data-language')
    const text = textOf(element.parts).replace(/\n$/, '')
    return `\n\n\`\`\`${language === 'curl' ? 'sh' : language}\n${text}\n\`\`\`\n\n`
  },
  code: (element) => `\`${textOf(element.parts)}\``,
  strong: (element) => `**${lineOf(element)}**`,
  em: (element) => `*${lineOf(element)}*`,
  a: (element) => {
    const words = lineOf(element)
    const address = attributeOf(element, 'href')
    if (!address.startsWith('/')) return words
    return `[${words}](${address.replace(/^(\/docs[^#]*?)(?=#|$)/, '$1.md')})`
  },
  li: (element, indent) => {
    const text = writeParts(element.parts, `${indent}  `)
    const lines = text.replaceAll(/\n{2,}/g, '\n').trim()
    return `\n${indent}- ${lines}`
  },
  table: (element) => `\n\n${tableLines(element).join('\n')}\n\n`,
  div: (element, indent) => {
    const kind = attributeOf(element, 'class')
    if (kind === 'languages') return ''
    if (kind !== 'bar') return writeParts(element.parts, indent)
    const words = element.parts.map((part) => writePart(part, indent))
    return `\n\n${indent}${words.join(' ')}\n\n`
  },
}

function writePart(part: Part, indent: string): string {
  if (typeof part === 'string') return part.replaceAll(/\s+/g, ' ')
  const write = writers[part.name]
  return write ? write(part, indent) : writeParts(part.parts, indent)
}

function tableLines(table: Element): string[] {
  const rows = elementsIn(table, 'tr').map((row) =>
    row.parts.flatMap((cell) =>
      typeof cell === 'string' ? [] : [lineOf(cell).replaceAll('|', '\\|')],
    ),
  )
  const [first = [], ...others] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(first), `|${'---|'.repeat(first.length)}`, ...others.map(line)]
}

function elementsIn(element: Element, name: string): Element[] {
  return element.parts.flatMap((part) => {
    if (typeof part === 'string') return []
    return part.name === name ? [part] : elementsIn(part, name)
  })
}
