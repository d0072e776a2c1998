import { namesOf } from '../../core/table-names.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import { renderPage } from '../frame/page-frame.ts'
import { renderTop } from '../frame/page-parts.ts'
import type { ReferencePage } from './reference-pages.ts'
import type { ReferenceTexts } from './reference-texts.ts'
import type { Rendering } from './rendering.ts'

interface Document {
  readonly pages: readonly ReferencePage[]
  /** Null: the page for missing documents. */
  readonly page: ReferencePage | null
  readonly rendering: Rendering
}

/** A page of the reference with its navigation, as a whole document. */
export function renderDocument(document: Document): string {
  const { page, rendering } = document
  const { texts, language } = rendering
  const { title, version } = rendering.api.description.info
  const main = page ? page.render(rendering) : renderMissing(texts)
  const name = page?.title(language) ?? texts.not_found
  return renderPage({
    language,
    title: `${name} · ${title} ${texts.title}`,
    description: `${title} ${texts.title}: ${name}`,
    style: 'styles/reference.css',
    scripts: ['reference/reference.js', 'reference/search.js', 'reference/try-it.js'],
    body: html`<a class="skip" href="#content">${texts.skip}</a>
${renderTop(language, texts, renderSearch(texts))}
<div class="layout">
<details class="menu"><summary>${texts.menu}</summary></details>
<nav class="pages" aria-label="${texts.title}">${renderNavigation(document)}
<p class="quiet">${title} ${version}</p></nav>
<main id="content" tabindex="-1">
${main}
</main>
</div>
<div id="words" data-words="${scriptWords(texts)}" hidden></div>
<p id="note" role="status" hidden></p>`,
  })
}

/** The words that scripts need. */
function scriptWords(texts: ReferenceTexts): string {
  const { try_it, copy, copied, link_copied, nothing_found } = texts
  return JSON.stringify({ try_it, copy, copied, link_copied, nothing_found })
}

function renderSearch({ search, title }: ReferenceTexts): Html {
  return html`<a class="where" href="/docs">${title}</a>
<div class="search" hidden><input type="search" id="find" role="combobox" aria-expanded="false"
 placeholder="${search}" aria-label="${search}" aria-controls="found" aria-autocomplete="list"
 autocomplete="off" spellcheck="false"><kbd>/</kbd>
<div id="found" role="listbox" aria-label="${search}" hidden></div></div>`
}

function renderNavigation({ pages, page: open, rendering }: Document): Html {
  const { texts, language } = rendering
  return html`${namesOf(texts.groups).map((group) => {
    const own = pages.filter((page) => page.group === group)
    return html`<p class="group">${texts.groups[group]}</p><ul class="${group}">${own.map(
      (page) => {
        const is_open = page === open
        const current = is_open ? html` aria-current="page"` : null
        const link = html`<a href="${page.path}"${current}>${page.title(language)}</a>`
        return html`<li>${link}${is_open ? renderPlaces(page) : null}</li>
`
      },
    )}</ul>`
  })}`
}

function renderPlaces({ places }: ReferencePage): Html | null {
  if (places.length === 0) return null
  const links = places.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return html`<ul lang="en">${links}</ul>`
}

function renderMissing(texts: ReferenceTexts): Html {
  return html`<div class="intro"><div class="text"><h1>${texts.not_found}</h1>
<p class="lead">${texts.not_found_sentence} <a href="/docs">${texts.pages.overview}</a></p></div></div>`
}
