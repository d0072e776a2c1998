import type { CheckoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import type { CheckoutForm, FieldTexts, FormField } from '../../methods/contract/checkout-form.ts'
import { drawMark } from '../../methods/contract/payment-marks.ts'
import type { AnyMethod } from '../../methods/contract/payment-method.ts'
import { method_facts } from '../../methods/method-facts.ts'
import { methods } from '../../methods/method-table.ts'
import { findName, paymentName } from '../../methods/payment-names.ts'
import { drawn, type Html, html } from '../frame/escaped-html.ts'
import type { Words } from '../hosted/hosted-parts.ts'
import type { CheckoutTexts, FieldName } from './checkout-texts.ts'

export interface CheckoutWords extends Words {
  readonly checkout: CheckoutTexts
}

type Method = CheckoutView['methods'][number]

/** One line of the list of payment methods: what it is called, and the form that opens below it. */
interface Entry {
  /** Whether the customer chose it last. */
  readonly is_chosen: boolean
  readonly title: string
  readonly marks: readonly string[]
  readonly form: Html
  /** Shown by the script on devices that have this wallet, and nowhere else. */
  readonly wallet?: 'apple_pay'
}

export interface FormPlace {
  /** The address of the page. */
  readonly path: string
  readonly view: CheckoutView
  readonly amount: string
  readonly words: CheckoutWords
  /** What the customer sent last, and what was wrong with it. */
  readonly entry: FormEntry
}

/** A form as it was sent: it comes back with its values, and each fault stands at its field. */
export interface FormEntry {
  readonly values: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, string>>
  /** The payment method whose form it is; null: none was sent. */
  readonly chosen: CheckoutView['chosen']
}

export const no_entry: FormEntry = { values: {}, faults: {}, chosen: null }

/** The fields of requests, by the field of the form of cards that asks for them. */
export const asked_by: Readonly<Record<FieldName, readonly string[]>> = {
  card_number: ['data.card_number'],
  expiry: ['data.exp_month', 'data.exp_year'],
  cvv: ['data.cvv', 'cvv'],
  cardholder: ['data.cardholder'],
  email: ['email'],
  amount: ['amount'],
}

/**
 * The payment methods as a list of which one is open. Each is a plain form: without scripts, everything that
 * a form can send works.
 */
export function renderWays(place: FormPlace): Html {
  const { view, words } = place
  const ways = [
    ...view.saved_cards.map((card) => savedCard(card, place)),
    ...view.methods.flatMap((method) => entriesOf(method, place)),
  ]
  if (ways.length === 0) return html`<p>${words.checkout.no_ways}</p>`
  const shown = ways.length === 1 ? 0 : ways.findIndex(({ is_chosen }) => is_chosen)
  return html`<h2>${words.checkout.ways}</h2>
<div class="ways">${ways.map((way, at) => renderEntry(way, at === shown))}</div>`
}

function renderEntry({ title, marks, form, wallet }: Entry, is_open: boolean): Html {
  const hidden = wallet ? html` hidden data-wallet="${wallet}"` : null
  return html`<details class="way" name="way"${is_open ? html` open` : null}${hidden}>
<summary><span>${title}</span><span class="marks">${marks.map(mark)}</span></summary>
${form}
</details>
`
}

/** In the page itself: a file for each would be what takes longest to load. */
function mark(brand: string): Html | null {
  const name = findName(brand)
  if (name === null) return null
  return html`<span data-brand="${brand}" aria-hidden="true">${drawn(drawMark(name))}</span>`
}

function entriesOf(method: Method, given: FormPlace): Entry[] {
  const { payment_type, brands } = method
  const { language } = given.words
  const { chosen } = given.entry
  const is_type = chosen?.payment_type === payment_type && chosen.saved_card === null
  const place = is_type ? given : { ...given, entry: no_entry }
  const way = (
    title: string,
    marks: readonly string[],
    content: Html,
    button: string,
    { scope = payment_type as string, is_chosen = is_type, entry = place.entry } = {},
  ): Entry => ({
    is_chosen,
    title,
    marks,
    form: payForm(method, content, button, { ...place, entry }, scope),
  })
  const names = brands.map((brand) => paymentName(brand, language))
  const { form } = methods[payment_type] as AnyMethod
  const title = method_facts[payment_type].customer_name?.[language] ?? ''
  const { on_pages } = method_facts[payment_type]
  if (form === null || (on_pages === 'in_test_mode' && !place.view.test_mode)) return []
  if (form.kind === 'card') {
    return [way(title, shownMarks(brands), cardFields(method, place), payLabel(place))]
  }
  if (form.kind === 'fields') {
    const button = form.button?.[language] ?? payLabel(place)
    const marks = form.wallet ? brands : []
    const one = way(title, marks, formFields(form, method, place), button)
    return [form.wallet ? { ...one, wallet: form.wallet } : one]
  }
  // Several identifiers may be one brand for a customer.
  const once = brands.filter((_, at) => names.indexOf(names[at] ?? '') === at)
  return once.map((brand) => {
    const name = paymentName(brand, language)
    const hidden = html`<input type="hidden" name="brand" value="${brand}">`
    const is_chosen = is_type && paymentName(chosen.brand ?? '', language) === name
    const entry = is_chosen ? place.entry : no_entry
    const more = { scope: `${payment_type}-${brand}`, is_chosen, entry }
    const entitled = form.title(name, language, once.length === 1)
    return way(entitled, [brand], hidden, form.button(name, language), more)
  })
}

/** Those that customers look for; a number that is typed shows its own. */
const usual_cards = ['visa', 'mastercard', 'jcb', 'american_express', 'diners_club']

function shownMarks(brands: readonly string[]): string[] {
  return usual_cards.filter((brand) => brands.includes(brand))
}

function payLabel({ view, amount, words: { checkout } }: FormPlace): string {
  if (view.token_type === 'subscription') return checkout.subscribe(amount)
  return view.capture ? checkout.pay(amount) : checkout.hold(amount)
}

function payForm(
  method: Method,
  content: Html,
  button: string,
  place: FormPlace,
  scope: string,
): Html {
  const { path, words } = place
  return html`<form method="post" action="${path}/payments" novalidate data-busy="${words.checkout.busy}">
<input type="hidden" name="payment_type" value="${method.payment_type}">
${content}
${method.needs_email ? emailField(scope, place) : null}
<p class="fault" role="alert" hidden></p>
<button class="main" type="submit">${button}</button>
</form>`
}

function emailField(scope: string, place: FormPlace): Html {
  return field('email', { scope, type: 'email', autocomplete: 'email' }, place)
}

function savedCard(card: CheckoutView['saved_cards'][number], place: FormPlace): Entry {
  const { path, words } = place
  const { checkout, language } = words
  const { transaction_token_id, brand, last_four, exp_month, exp_year } = card
  const is_chosen = place.entry.chosen?.saved_card === transaction_token_id
  const entry = is_chosen ? place.entry : no_entry
  const until = checkout.saved_expiry(String(exp_month).padStart(2, '0'), String(exp_year))
  return {
    is_chosen,
    title: checkout.saved_card(paymentName(brand, language), last_four),
    marks: [brand],
    form: html`<form method="post" action="${path}/saved_card" novalidate data-busy="${checkout.busy}">
<p class="quiet">${until}</p>
<input type="hidden" name="transaction_token_id" value="${transaction_token_id}">
${cvvField({ ...place, entry }, transaction_token_id)}
<p class="fault" role="alert" hidden></p>
<button class="main" type="submit">${payLabel(place)}</button>
</form>`,
  }
}

const padlock = html`<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
 stroke-linejoin="round" aria-hidden="true"><path d="M3 7h10v7H3zM5 7V5a3 3 0 0 1 6 0v2"/></svg>`

function cardFields({ needs_cvv }: Method, place: FormPlace): Html {
  const { view, words } = place
  const { checkout } = words
  const is_stored = view.token_type === 'recurring'
  const number = { inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 40 } as const
  return html`${field('card_number', number, place)}
<div class="pair">
${field('expiry', { inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 20 }, place)}
${needs_cvv ? cvvField(place) : null}
</div>
${field('cardholder', { autocomplete: 'cc-name', maxlength: 255 }, place, view.customer.name)}
${is_stored ? html`<p class="quiet">${checkout.stored}</p>` : null}
<p class="quiet safe">${padlock}<span>${checkout.safe}</span></p>`
}

type Fields = Extract<CheckoutForm, { kind: 'fields' }>

/** The fields of a method, as its folder describes them. */
function formFields({ fields, hidden = {}, note }: Fields, method: Method, place: FormPlace): Html {
  const { view, words } = place
  const { phone, name } = view.customer
  const given = { name, phone: phone?.local_number ?? null }
  const shown = fields.map((one) => {
    if (one === 'cardholder') {
      const look = { scope: method.payment_type, autocomplete: 'name', maxlength: 255 }
      return field(one, look, place, name)
    }
    if (one.choose) return brandChoice(one, method, place)
    const { id, asks, texts, ...look } = one
    const own = { id, asks, texts: texts[words.language] }
    return field(own, look, place, one.given ? given[one.given] : null)
  })
  const unseen = Object.entries(hidden).map(
    ([at, value]) => html`<input type="hidden" name="${at}" value="${value}">`,
  )
  return html`${unseen}${shown}
${note ? html`<p class="quiet">${note[words.language]}</p>` : null}`
}

function cvvField(place: FormPlace, scope = 'card'): Html {
  const look = { scope, inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 8 } as const
  return field('cvv', look, place)
}

function brandChoice({ id, asks, texts, choose }: FormField, { brands }: Method, place: FormPlace) {
  const { words, entry } = place
  const { language } = words
  const { label, missing } = texts[language]
  const chosen = entry.values[id] ?? entry.chosen?.brand
  const names = brands.map((brand) => {
    const selected = brand === chosen ? html` selected` : null
    return html`<option value="${brand}"${selected}>${paymentName(brand, language)}</option>`
  })
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${id}" required data-missing="${missing}"
 data-wrong="${missing}" data-asks="${asks.join(' ')}"
 aria-describedby="${id}-fault"${invalid(entry.faults[id])}>
<option value="">${choose?.[language] ?? ''}</option>${names}</select>
${faultText(id, entry.faults[id])}</div>
`
}

function invalid(fault: string | undefined): Html | null {
  return fault ? html` aria-invalid="true"` : null
}

/** The place of a fault below its field; the script fills it too. */
function faultText(id: string, fault: string | undefined): Html {
  return html`<p class="fault" id="${id}-fault"${fault ? null : html` hidden`}>${fault ?? null}</p>`
}

/** A field of one payment method, in the language of the page. */
interface OwnField {
  readonly id: string
  readonly asks: readonly string[]
  readonly texts: FieldTexts
}

interface InputLook {
  /** The form that it is in: several have a field of the same name. */
  readonly scope?: string
  readonly name?: string
  readonly type?: string
  readonly inputmode?: 'numeric' | 'decimal'
  readonly autocomplete?: string
  readonly maxlength?: number
  /** Instead of the usual hint. */
  readonly hint?: string
}

/** A field with its label, a hint, and a place for its fault. The script reads its texts from the input. */
export function field(
  asked: FieldName | OwnField,
  look: InputLook,
  { words: { checkout }, entry }: Pick<FormPlace, 'words' | 'entry'>,
  given: string | null = null,
): Html {
  const is_own = typeof asked === 'object'
  const field_name = is_own ? asked.id : asked
  const texts = is_own ? asked.texts : checkout.fields[asked]
  const asks = is_own ? asked.asks : asked_by[asked]
  const { label, missing, wrong } = texts
  const hint = look.hint ?? texts.hint
  const { scope, name = field_name, type = 'text', inputmode, autocomplete, maxlength } = look
  const id = scope ? `${scope}-${field_name}` : field_name
  const short = field_name === 'expiry' ? hint : undefined
  const described = `${hint && !short ? `${id}-hint ` : ''}${id}-fault`
  const value = entry.values[field_name] ?? given
  const fault = entry.faults[field_name]
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" required autocapitalize="off" spellcheck="false"
 data-field="${field_name}" data-missing="${missing}" data-wrong="${wrong}"
 data-asks="${asks.join(' ')}" aria-describedby="${described}"${invalid(fault)}
${value ? html` value="${value}"` : null}${short ? html` placeholder="${short}"` : null}
${inputmode ? html` inputmode="${inputmode}"` : null}${maxlength ? html` maxlength="${maxlength}"` : null}
 autocomplete="${autocomplete ?? 'off'}">
${hint && !short ? html`<p class="hint" id="${id}-hint">${hint}</p>` : null}
${faultText(id, fault)}</div>`
}
