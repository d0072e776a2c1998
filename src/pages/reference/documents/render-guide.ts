import { type Html, html } from '../../frame/escaped-html.ts'
import type { Rendering } from '../rendering.ts'
import type { ServedGuide } from './guide-files.ts'

/** A guide: its sections, each with an address. Its texts are English in both languages. */
export function renderGuide({ language, texts }: Rendering, document: ServedGuide): Html {
  const { guide, lead, sections, path, title } = document
  const name = language === 'en' ? title : guide[language]
  return html`<div class="intro guide"><div class="text"><h1>${name}</h1>
<div class="lead" lang="en">${lead}</div>
<p class="quiet"><a href="${path}.md">${texts.as_markdown}</a></p></div></div>
${sections.map(
  ({ id, title: heading, body }) => html`<section class="entry wide guide" id="${id}" lang="en">
<div class="text"><h2><a href="#${id}">${heading}</a></h2>
${body}</div></section>
`,
)}`
}
