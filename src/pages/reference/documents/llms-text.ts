import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReferencePage } from '../reference-pages.ts'
import type { Rendering } from '../rendering.ts'
import { pageMarkdown } from './page-markdown.ts'

/** A page as Markdown: the document itself, or the page of the reference. */
export function markdownOf(page: ReferencePage, rendering: Rendering): string {
  return page.document?.markdown ?? pageMarkdown(page.render({ ...rendering, shown: new Map() }))
}

/** The list of all pages for programs that read them, by the convention of `/llms.txt`. */
export function llmsText(pages: readonly ReferencePage[], { texts, base_url }: Rendering): string {
  const groups = [...new Set(pages.map(({ group }) => group))]
  const lists = groups.map((group) => {
    const own = pages.filter((page) => page.group === group)
    const rows = own.map((page) => `- [${page.title('en')}](${base_url}${page.path}.md)\n`)
    return `## ${texts.groups[group]}\n\n${rows.join('')}`
  })
  return `# Kaikei

> A payment service with an HTTP API: cards with 3-D Secure, QR codes, convenience stores, online
> brands and bank transfers; refunds, subscriptions, payouts, signed webhooks. Test mode moves no money.

The API description: ${base_url}/openapi.json. All pages below in one file: ${base_url}/llms-full.txt.

${lists.join('\n')}`
}

/** Every page in one text. Other requests run between two pages. */
export async function llmsFullText(
  pages: readonly ReferencePage[],
  rendering: Rendering,
): Promise<string> {
  const texts: string[] = []
  for (const page of pages) {
    texts.push(markdownOf(page, rendering))
    await nextTurn()
  }
  return texts.join('\n---\n\n')
}
