import type { ProviderForm } from '../../core/payments/instructions.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import {
  amountRow,
  brandHeading,
  checkLink,
  moneyText,
  notYet,
  outcomeButton,
  ownPath,
  row,
  stepList,
  timeRow,
  type Words,
} from './hosted-parts.ts'
import type { ForwardView, OnlineView, QrView, ThreeDsView } from './hosted-view.ts'
import { brandName } from './texts/method-words.ts'

/** The order on the left, and the action on the right; below each other on a phone. */
export interface TwoParts {
  readonly title: string
  readonly summary: Html
  /** Null: a tester alone can act. */
  readonly work: Html | null
  /** The actions of a tester; null: there are none. */
  readonly trial: Html | null
  /** Changes when the customer has something new to see; null: nothing is expected. */
  readonly state: string | null
}

/** The page of a simulated brand, or of the wallet that scanned a code: all of its actions are tests. */
export function renderOnline(view: OnlineView, words: Words): TwoParts {
  const { online } = words.texts
  const pay = view.money ? online.pay(moneyText(view.money, words)) : online.pay_nothing
  const title = online.heading(brandName(view.brand, words.language))
  const form = html`<form method="post" action="${ownPath(view.action)}">
${outcomeButton('successful', pay, 'main')}
${outcomeButton('failed', online.decline)}
${outcomeButton('abandoned', online.cancel, 'faint')}
</form>`
  return {
    title,
    summary: html`${brandHeading(view.brand, title, words)}
<dl>${amountRow(view, words)}${timeRow(words.texts.expiry, view.expires_on, words)}</dl>`,
    work: null,
    trial: form,
    state: null,
  }
}

export function renderQr(view: QrView, words: Words): TwoParts {
  const { qr, how, expiry } = words.texts
  const brand = brandName(view.brand, words.language)
  const title = qr.heading(brand)
  const wallet =
    view.wallet_path === null
      ? null
      : html`<div class="actions">
<a class="button" href="${ownPath(view.wallet_path)}">${qr.wallet}</a></div>`
  return {
    title,
    summary: html`${brandHeading(view.brand, title, words)}
<dl>${amountRow(view, words)}${timeRow(expiry, view.expires_on, words)}</dl>`,
    work: html`<figure class="code">
<img src="${ownPath(view.image_path)}" width="240" height="240" alt="${qr.image(brand)}">
</figure>
<h2>${how}</h2>
${stepList(qr.steps.map((step) => step(brand)))}
${notYet('qr', view.checked_on, words)}
<div class="actions">${checkLink(words)}</div>`,
    trial: wallet,
    state: 'qr',
  }
}

/**
 * The question of a simulated bank: all of its answers are tests. In a frame, the checkout around it shows
 * the amount, and is the box.
 */
export function renderThreeDs(view: ThreeDsView, words: Words, in_frame: boolean): TwoParts {
  const { three_ds } = words.texts
  const { question } = three_ds
  const asked = view.money
    ? question.money(view.store_name, moneyText(view.money, words))
    : question.no_money(view.store_name)
  const card = three_ds.card_ending(brandName(view.card_brand, words.language), view.last_four)
  const form = html`<form method="post" action="${ownPath(view.action)}">
${outcomeButton('successful', three_ds.approve, 'main')}
${outcomeButton('failed', three_ds.decline)}
${outcomeButton('abandoned', three_ds.leave, 'faint')}
</form>`
  return {
    title: three_ds.heading,
    summary: html`<p class="quiet">${three_ds.asks}</p>
${brandHeading(view.card_brand, three_ds.heading, words)}
<dl>
${in_frame ? null : amountRow(view, words)}
${row(three_ds.store, view.store_name)}
${row(three_ds.card, card)}
${timeRow(three_ds.expiry, view.expires_on, words)}
</dl>`,
    work: in_frame ? form : html`<p>${asked}</p>`,
    trial: in_frame ? null : form,
    state: null,
  }
}

export function renderForward(view: ForwardView, words: Words): TwoParts {
  const { forward } = words.texts
  const { brand } = view
  const title =
    brand === null ? forward.challenge : forward.heading(brandName(brand, words.language))
  return {
    title,
    summary: html`${brandHeading(brand ?? '', title, words)}
<dl>${amountRow(view, words)}</dl>`,
    work: html`<p>${forward.sentence}</p>
${renderForwardForm(view.form, forward.go)}`,
    trial: null,
    state: null,
  }
}

/** The address of a form that is sent by GET. */
export function forwardAddress({ url, fields }: ProviderForm): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value)
  return target.href
}

/** A browser drops the query of an address that a form is sent to by GET, so that is a link. */
function renderForwardForm(form: ProviderForm, label: string): Html {
  const { url, method, fields } = form
  if (method === 'get') {
    const address = forwardAddress(form)
    const link = html`<a class="button main" href="${address}" rel="noreferrer">${label}</a>`
    return html`<div class="actions">${link}</div>`
  }
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${url}" class="forward">
${hidden}
<button class="main" type="submit">${label}</button>
</form>`
}
