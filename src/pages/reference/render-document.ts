import { type Html, html } from '../escaped-html.ts'
import { type Language, renderPage } from '../page-frame.ts'
import { webFile } from '../web-files.ts'
import type { ReferencePage } from './reference-pages.ts'
import type { Group, ReferenceTexts } from './reference-texts.ts'
import type { Rendering } from './rendering.ts'

interface Document {
  readonly pages: readonly ReferencePage[]
  /** Null: the page that says that there is none. */
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
    styles: ['reference/reference.css'],
    scripts: ['reference/reference.js', 'reference/search.js', 'reference/try-it.js'],
    body: html`<a class="skip" href="#content">${texts.skip}</a>
${renderHeader(title, texts, language)}
<div class="layout">
<details class="menu"><summary>${texts.menu}</summary></details>
<nav class="pages" aria-label="${texts.title}">${renderNavigation(document)}<p class="quiet">${title} ${version}</p></nav>
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

function renderHeader(title: string, texts: ReferenceTexts, language: Language): Html {
  const other = language === 'en' ? 'ja' : 'en'
  return html`<header class="top">
<a class="brand" href="/"><img src="${webFile('icons/icon.svg')}" alt="" width="24" height="24"> ${title}</a>
<a class="where" href="/docs">${texts.title}</a>
<div class="search" hidden><input type="search" id="search" placeholder="${texts.search}" aria-label="${texts.search}" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false"><kbd>/</kbd><div id="found" role="listbox" aria-label="${texts.search}" hidden></div></div>
<a class="quiet-button" href="?language=${other}" hreflang="${other}" lang="${other}">${texts.other_language}</a>
<button class="quiet-button theme" type="button" hidden aria-label="${texts.theme}" title="${texts.theme}"><span aria-hidden="true">◐</span></button>
</header>`
}

function renderNavigation({ pages, page: open, rendering }: Document): Html {
  const { texts, language } = rendering
  const groups = Object.entries(texts.groups) as [Group, string][]
  return html`${groups.map(([group, name]) => {
    const own = pages.filter((page) => page.group === group)
    return html`<p class="group">${name}</p><ul>${own.map((page) => {
      const is_open = page === open
      const current = is_open ? html` aria-current="page"` : null
      return html`<li><a href="${page.path}"${current}>${page.title(language)}</a>${is_open ? renderPlaces(page) : null}</li>
`
    })}</ul>`
  })}`
}

function renderPlaces({ places }: ReferencePage): Html | null {
  if (places.length === 0) return null
  return html`<ul lang="en">${places.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`
}

function renderMissing(texts: ReferenceTexts): Html {
  return html`<div class="intro"><div class="text"><h1>${texts.not_found}</h1>
<p class="lead">${texts.not_found_sentence} <a href="/docs">${texts.pages.overview}</a></p></div></div>`
}
