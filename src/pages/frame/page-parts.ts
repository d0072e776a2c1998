import { codeLines, type Html, html } from './escaped-html.ts'
import type { Language } from './page-frame.ts'
import { webFile } from './web-files.ts'

interface TopWords {
  readonly other_language: string
  readonly theme: string
}

/** The bar on top of a page: home, what the page adds, the other language, light or dark. */
export function renderTop(language: Language, words: TopWords, middle: Html | null): Html {
  const other = language === 'en' ? 'ja' : 'en'
  const { other_language, theme } = words
  return html`<header class="top">
<a class="brand" href="/"><img src="${webFile('icons/icon.svg')}" alt="" width="24" height="24">
Kaikei</a>
${middle}
<a class="quiet-button" href="?language=${other}" hreflang="${other}"
 lang="${other}">${other_language}</a>
<button class="quiet-button theme" type="button" hidden aria-label="${theme}" title="${theme}">
<span aria-hidden="true">◐</span></button>
</header>`
}

/** Code that scripts color and copy; it can be scrolled with the keyboard. */
export function codeBlock(language: string, text: string): Html {
  return html`<pre data-language="${language}" tabindex="0">${codeLines(text)}</pre>`
}

/** A box with a title, and what the page adds beside the title. */
export function card(title: string, content: Html, beside: Html | null = null): Html {
  return html`<div class="card"><div class="bar"><span>${title}</span>${beside}</div>
${content}</div>`
}
