import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Guide, guides } from './guide-list.ts'
import { withoutComments } from './guide-words.ts'
import { type GuideDocument, readGuide } from './read-guide.ts'

/** Documents beside the built program, or in the repository. */
const places = ['./documents/', '../../../../'].map((path) => new URL(path, import.meta.url))

export interface ServedGuide extends GuideDocument {
  readonly guide: Guide
  /** The same in Japanese, with the addresses of the English sections; null: it is in English only. */
  readonly ja: GuideDocument | null
  readonly path: string
  /** The document itself, with the addresses of this service. */
  readonly markdown: string
}

/** Every guide, read once. */
export function readGuides(): readonly ServedGuide[] {
  const place = places.find((one) => existsSync(fileURLToPath(new URL('docs', one))))
  if (!place) throw new Error(`The documents are not in ${places[0]}.`)
  return guides.map((guide) => {
    const text = readFileSync(new URL(guide.file, place), 'utf8')
    const resolveLink = (href: string) => addressOf(guide.file, href)
    const markdown = withAddresses(withoutComments(text), resolveLink)
    const english = readGuide(text, resolveLink)
    const ja = readJapanese(guide, place, english)
    return { ...english, guide, ja, path: pathOf(guide), markdown }
  })
}

function readJapanese({ name }: Guide, place: URL, english: GuideDocument): GuideDocument | null {
  const file = `docs/ja/${name}.md`
  const address = new URL(file, place)
  if (!existsSync(fileURLToPath(address))) return null
  const document = readGuide(readFileSync(address, 'utf8'), (href) => addressOf(file, href))
  const sections = document.sections.map((section, at) => ({
    ...section,
    id: english.sections[at]?.id ?? section.id,
  }))
  return { ...document, sections }
}

const pathOf = ({ name }: Guide) => `/docs/guides/${name}`

/** Documents whose content is a page of the reference. */
const other_pages: Readonly<Record<string, string>> = {
  'docs/README.md': '/docs',
  'docs/errors.md': '/docs/errors',
  'openapi.json': '/openapi.json',
  'examples/shop/': '/docs/guides/demo-shop',
}

/** The address of what a document links to; null: it is not served. */
function addressOf(file: string, href: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(file), path)
  const guide = guides.find((one) => one.file === target)
  const address = guide ? pathOf(guide) : (other_pages[target] ?? null)
  return address === null || anchor === undefined ? address : `${address}#${anchor}`
}

/** Links of Markdown as they work here; those to anything else become text. */
function withAddresses(markdown: string, resolveLink: (href: string) => string | null): string {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, href) => {
    const address = resolveLink(href)
    if (address === null) return words
    const [path, anchor] = address.split('#')
    const is_page = address.startsWith('/docs')
    return `[${words}](${is_page ? `${path}.md${anchor ? `#${anchor}` : ''}` : address})`
  })
}
