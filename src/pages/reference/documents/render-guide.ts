import { type Html, html } from '../../frame/escaped-html.ts'
import type { Rendering } from '../rendering.ts'
import type { ServedGuide } from './guide-files.ts'

/** A guide: its sections, each with an address. Without a Japanese text it is English in both languages. */
export function renderGuide({ language, texts }: Rendering, document: ServedGuide): Html {
  const { guide, path, title } = document
  const japanese = language === 'ja' ? document.ja : null
  const { lead, sections } = japanese ?? document
  const name = language === 'en' ? title : guide[language]
  const lang = japanese ? 'ja' : 'en'
  return html`<div class="intro guide"><div class="text"><h1>${name}</h1>
<div class="lead" lang="${lang}">${lead}</div>
<p class="quiet"><a href="${path}.md">${texts.as_markdown}</a></p></div></div>
${sections.map(
  ({
    id,
    title: heading,
    body,
  }) => html`<section class="entry wide guide" id="${id}" lang="${lang}">
<div class="text"><h2><a href="#${id}">${heading}</a></h2>
${body}</div></section>
`,
)}`
}
