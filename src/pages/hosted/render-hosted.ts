import { default_zone } from '../../core/time/schedule.ts'
import { drawn, type Html, html, markupOf } from '../frame/escaped-html.ts'
import { inlineStyle, webFile } from '../frame/web-files.ts'
import { trial, type Words, webAddress } from './hosted-parts.ts'
import { type HostedView, type Language, languages } from './hosted-view.ts'
import { renderBankTransfer, renderKonbini } from './render-deposit.ts'
import { type OnePart, renderEnd, renderNothing } from './render-end.ts'
import {
  renderForward,
  renderOnline,
  renderQr,
  renderThreeDs,
  type TwoParts,
} from './render-payment.ts'
import { shopStyle } from './shop-style.ts'
import { type HostedTexts, hosted_texts } from './texts/hosted-texts.ts'

/** A whole document. No data of the view can become markup or change the reading order. */
export function renderHosted(view: HostedView, language: Language, in_frame = false): string {
  const shown = withPlainTexts(view)
  const is_known = 'store_name' in shown
  const time_zone = is_known ? shown.time_zone : default_zone
  const words = { language, texts: hosted_texts[language], time_zone }
  const content = renderContent(shown, words, in_frame)
  const main = renderMain(content, words)
  const goal = shown.kind === 'end' && shown.leaving ? webAddress(shown.return_url) : null
  return renderDocument(
    {
      title: is_known ? `${content.title} · ${shown.store_name}` : content.title,
      shop: is_known ? shown : null,
      test_mode: is_known && shown.test_mode,
      main,
      goal,
      in_frame,
    },
    words,
  )
}

function renderContent(view: HostedView, words: Words, in_frame: boolean): OnePart | TwoParts {
  switch (view.kind) {
    case 'online':
      return renderOnline(view, words)
    case 'qr':
      return renderQr(view, words)
    case 'konbini':
      return renderKonbini(view, words)
    case 'bank_transfer':
      return renderBankTransfer(view, words)
    case 'three_ds':
      return renderThreeDs(view, words, in_frame)
    case 'forward':
      return renderForward(view, words)
    case 'end':
      return renderEnd(view, words)
    case 'nobody':
    case 'trouble':
      return renderNothing(view.kind, words)
  }
}

function renderMain(content: OnePart | TwoParts, words: Words): Html {
  const state = content.state === null ? null : html` data-state="${content.state}"`
  if ('body' in content)
    return html`<main class="end"${state}>
${content.body}
</main>`
  return html`<main class="two"${state}>
<div class="summary">${content.summary}</div>
<div class="doing">${content.work ? html`<div class="work">${content.work}</div>` : null}
${content.trial ? trial(content.trial, words) : null}</div>
</main>`
}

export interface Shop {
  readonly store_name: string
  readonly logo_url: string | null
  readonly main_color: string | null
}

interface Document {
  readonly title: string
  readonly shop: Shop | null
  readonly test_mode: boolean
  readonly main: Html
  /** The URL that the browser is forwarded to. */
  readonly goal: string | null
  /** Whose style and script it has. Default: those of all pages of customers. */
  readonly name?: 'checkout'
  /** The shop's text at the end of the page. */
  readonly legal?: Html | null
  /** A checkout shows it in a frame. */
  readonly in_frame?: boolean
  /** A picture of the page: without scripts. */
  readonly is_still?: boolean
}

export function renderDocument(document: Document, words: Words): string {
  const { title, shop, test_mode, main, goal, name } = document
  const { legal = null, in_frame = false, is_still = false } = document
  const { language, texts } = words
  const style = shop && shopStyle(shop.main_color)
  // Phones would otherwise turn account numbers and payment codes into phone links.
  return markupOf(html`<!doctype html>
<html lang="${language}"${in_frame ? html` class="in-checkout"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
${goal === null ? null : html`<meta http-equiv="refresh" content="0;url=${goal}">`}
<title>${title}</title>
${pageFiles(name, is_still)}
${style === null ? null : html`<style>${style}</style>`}
</head>
<body>
<header>${test_mode ? testBanner(texts) : null}${renderTop(shop, words)}</header>
${main}
<footer class="foot">${legal}${shop ? html`<p>${texts.help(shop.store_name)}</p>` : null}
<p>${texts.service}</p></footer>
<p class="said unseen" aria-live="polite"></p>
</body>
</html>
`)
}

/** Preloaded together with the script that imports it. */
const imported_by = {
  hosted: ['design/copy.js'],
  checkout: ['checkout/card-input.js', 'checkout/typing-rules.js'],
} as const

/** The style, the script and the icons of every page that customers or users open from a link. */
export function pageFiles(name: 'hosted' | 'checkout' = 'hosted', is_still = false): Html {
  const scripts = is_still ? [] : [...new Set(['hosted', name] as const)]
  const style =
    name === 'checkout' && !is_still
      ? html`<style>${drawn(inlineStyle(name).text)}</style>`
      : html`<link rel="stylesheet" href="${webFile(`styles/${name}.css`)}">`
  return html`${style}
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="${webFile('icons/icon.svg')}" type="image/svg+xml">
${scripts.map(
  (script) => html`${imported_by[script].map(
    (file) => html`<link rel="modulepreload" fetchpriority="low" href="${webFile(file)}">
`,
  )}<script type="module" fetchpriority="low" src="${webFile(`${script}/${script}.js`)}"></script>
`,
)}`
}

function testBanner(texts: HostedTexts): Html {
  const { title, sentence } = texts.test_banner
  return html`<aside class="test" aria-label="${title}"><p><strong>${title}</strong> ${sentence}</p></aside>`
}

function renderTop(shop: Shop | null, { language }: Words): Html {
  const logo = webAddress(shop?.logo_url ?? null)
  const picture = logo && html`<img src="${logo}" alt="" height="32" referrerpolicy="no-referrer">`
  return html`<div class="top">
<p class="shop">${picture}${shop ? html`<span>${shop.store_name}</span>` : null}</p>
${languageMenu(language)}
</div>`
}

/** The same page in another language. */
function languageMenu(language: Language): Html {
  const others = languages.filter((one) => one !== language)
  const links = others.map(
    (one) =>
      html`<a href="?language=${one}" hreflang="${one}" lang="${one}">${hosted_texts[one].language}</a>`,
  )
  return html`<details class="languages"><summary>${hosted_texts[language].language}</summary>
<nav>${links}</nav></details>`
}

/**
 * Names are user input. Invisible characters that reverse text, end a line or end a string are removed
 * everywhere, so that no page can forget it.
 */
function withPlainTexts(view: HostedView): HostedView {
  const fields = Object.entries(view).map(([name, value]) => [
    name,
    typeof value === 'string' ? plainText(value) : value,
  ])
  return Object.fromEntries(fields) as HostedView
}

function plainText(text: string): string {
  const visible = text.replace(/[\0\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '')
  return visible.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}
