import { Marked, type Token, type Tokens } from 'marked'
import { drawn, type Html, html, markupOf, table } from '../../frame/escaped-html.ts'
import { card, codeBlock } from '../../frame/page-parts.ts'
import { anchorOf, plain, plainTokens, rowAnchor, withoutComments } from './guide-words.ts'

/** A place of a guide that search finds: a section, or a row of a table that begins with a name. */
export interface GuidePlace {
  readonly id: string
  readonly title: string
  readonly is_row: boolean
  readonly text: string
}

interface GuideSection {
  readonly id: string
  readonly title: string
  readonly body: Html
}

/** A document as the reference shows it. */
export interface GuideDocument {
  readonly title: string
  readonly lead: Html
  readonly lead_text: string
  readonly sections: readonly GuideSection[]
  readonly places: readonly GuidePlace[]
}

/** The target of a link in a document; null: the target is not served. */
export type ResolveLink = (href: string) => string | null

/** Languages of blocks: for the highlighter, and as the heading of the block. */
const block_languages: Readonly<Record<string, readonly [language: string, title: string]>> = {
  sh: ['curl', 'Terminal'],
  json: ['json', 'JSON'],
  js: ['javascript', 'JavaScript'],
  html: ['text', 'HTML'],
  http: ['text', 'HTTP'],
}

/** Reads Markdown of ours. Nothing in it comes from elsewhere. */
export function readGuide(markdown: string, resolveLink: ResolveLink): GuideDocument {
  const places: GuidePlace[] = []
  const marked = newMarked(resolveLink, places)
  const [intro = [], ...parts] = splitAt(2, marked.lexer(withoutComments(markdown)))
  const [title, ...lead] = intro
  const sections = parts.map((part): GuideSection => {
    const [heading, ...content] = part
    for (const [first, ...rest] of splitAt(3, part)) {
      if (first?.type !== 'heading') continue
      const name = titleOf(first)
      places.push({ id: anchorOf(name), title: name, is_row: false, text: plainTokens(rest) })
    }
    const name = titleOf(heading)
    return { id: anchorOf(name), title: name, body: drawn(marked.parser(content)) }
  })
  return {
    title: titleOf(title),
    lead: drawn(marked.parser(lead)),
    lead_text: plainTokens(lead),
    sections,
    places,
  }
}

function titleOf(token: Token | undefined): string {
  return token && 'text' in token ? plain(String(token.text)) : ''
}

/** Each part but the first begins with a heading of this level or the one above. */
function splitAt(level: number, tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth > 1 && token.depth <= level) parts.push([])
    parts.at(-1)?.push(token)
  }
  return parts
}

function newMarked(resolveLink: ResolveLink, places: GuidePlace[]): Marked {
  const marked = new Marked()
  const inline = ({ tokens }: { readonly tokens: Token[] }) =>
    drawn(new marked.Parser(marked.defaults).parseInline(tokens))
  marked.use({
    renderer: {
      code({ text, lang = '' }) {
        const [language, title] = block_languages[lang] ?? ['text', 'Text']
        return markupOf(card(title, codeBlock(language, text)))
      },
      heading({ depth, text, tokens }) {
        const id = anchorOf(plain(text))
        return `<h${depth} id="${id}">${markupOf(inline({ tokens }))}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const address = resolveLink(href)
        const words = inline({ tokens })
        return markupOf(address === null ? words : html`<a href="${address}">${words}</a>`)
      },
      table({ header, rows }) {
        const cells = rows.map(([first, ...others]) => {
          const name = first ? inline(first) : html``
          const id = placeRow(first, others, places)
          const shown = id ? html`<a class="name" id="${id}" href="#${id}">${name}</a>` : name
          return [shown, ...others.map(inline)]
        })
        return markupOf(
          table(
            header.map(({ text }) => plain(text)),
            cells,
          ),
        )
      },
      image: ({ text }) => plain(text),
    },
  })
  return marked
}

/** A row that begins with a name in code is a place; null: it has none, or another row has it. */
function placeRow(
  first: Tokens.TableCell | undefined,
  others: readonly Tokens.TableCell[],
  places: GuidePlace[],
): string | null {
  const is_name = first?.tokens.length === 1 && first.tokens[0]?.type === 'codespan'
  const id = is_name ? rowAnchor(plain(first.text)) : ''
  if (id === '' || places.some((place) => place.id === id)) return null
  const text = others.map((cell) => plain(cell.text)).join(' · ')
  places.push({ id, title: plain(first?.text ?? ''), is_row: true, text })
  return id
}
