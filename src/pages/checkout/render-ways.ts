import type { CheckoutForm } from '../../methods/contract/checkout-form.ts'
import { drawKind } from '../../methods/contract/payment-marks.ts'
import type { AnyMethod } from '../../methods/contract/payment-method.ts'
import { method_facts } from '../../methods/method-facts.ts'
import { methods } from '../../methods/method-table.ts'
import { findName } from '../../methods/payment-names.ts'
import { drawn, type Html, html } from '../frame/escaped-html.ts'
import { mark, nameBeside } from '../hosted/hosted-parts.ts'
import type { Language } from '../hosted/hosted-view.ts'
import { brandName, buttonIn, wordsIn } from '../hosted/texts/method-words.ts'
import {
  cardFields,
  cvvField,
  type FormPlace,
  field,
  formFields,
  type Method,
  no_entry,
} from './checkout-fields.ts'

/** A payment method as the customer sees it: its name, and the form that opens below it. */
interface Entry {
  /** `payment_type/brand`, for the order in which the store's customers use them. */
  readonly names: readonly string[]
  /** Whether the customer chose it last. */
  readonly is_chosen: boolean
  readonly title: string
  readonly marks: readonly string[]
  readonly form: Html
  /** The card form is a block of its own above the others. */
  readonly is_card?: boolean
  /** Shown by the script on devices that have this wallet, and nowhere else. */
  readonly wallet?: 'apple_pay'
}

/**
 * Cards first and open, then one tile for each brand that a customer knows. Each is a plain form: without
 * scripts, everything that a form can send works.
 */
export function renderWays(place: FormPlace): Html {
  const { view, words } = place
  const { checkout } = words
  const offered = view.methods.flatMap((method) => entriesOf(method, place))
  const saved = view.saved_cards.map((card) => savedCard(card, place))
  const wallets = offered.filter(({ wallet }) => wallet)
  const cards = [...saved, ...offered.filter(({ is_card }) => is_card)]
  const others = inUsualOrder(
    offered.filter(({ is_card, wallet }) => !is_card && !wallet),
    view.usual,
  )
  const all = [...wallets, ...cards, ...others]
  const [first] = [...cards, ...others]
  if (first === undefined) return html`<p>${checkout.no_ways}</p>`
  const is_alone = cards.length + others.length === 1
  const open = all.find(({ is_chosen }) => is_chosen) ?? (is_alone || first.is_card ? first : null)
  const entries = (some: readonly Entry[]) =>
    some.map((one) => renderEntry(one, one === open, words.language))
  const shows_both = cards.length > 0 && others.length > 0
  return html`<h2 class="unseen">${checkout.ways}</h2>
${wallets.length > 0 ? html`<div class="ways wallets">${entries(wallets)}</div>` : null}
${cards.length > 0 ? html`<div class="ways cards">${entries(cards)}</div>` : null}
${shows_both ? html`<h3 class="other-ways">${checkout.other_ways}</h3>` : null}
${others.length > 0 ? html`<div class="ways tiles">${entries(others)}</div>` : null}`
}

/** As the store's customers use them; unused methods keep the order of the service. */
function inUsualOrder(entries: readonly Entry[], usual: readonly string[]): readonly Entry[] {
  const place = ({ names }: Entry) => {
    const places = names.map((name) => usual.indexOf(name)).filter((at) => at >= 0)
    return Math.min(usual.length, ...places)
  }
  return entries.toSorted((one, other) => place(one) - place(other))
}

function renderEntry(entry: Entry, is_open: boolean, language: Language): Html {
  const { title, marks, form, wallet, is_card } = entry
  const drawings = marks.map((brand) => mark(brand, language))
  const hidden = wallet ? html` hidden data-wallet="${wallet}"` : null
  const shown = html`<span class="marks">${marks.length > 0 ? drawings : sign(entry)}</span>`
  const [brand = ''] = is_card ? [] : marks
  const name = nameBeside(brand, title, language)
  return html`<details class="way" name="way"${is_open ? html` open` : null}${hidden}>
<summary>${is_card ? [name, shown] : [shown, name]}</summary>
${form}
</details>
`
}

/** A method with several brands has the drawing of its kind; each brand is shown with its own in the form. */
function sign({ names: [name = ''] }: Entry): Html | null {
  const found = findName(name.split('/')[1] ?? '')
  return found && html`<span class="mark" aria-hidden="true">${drawn(drawKind(found))}</span>`
}

function entriesOf(method: Method, given: FormPlace): Entry[] {
  const { payment_type, brands } = method
  const { language } = given.words
  const { form } = methods[payment_type] as AnyMethod
  const { customer_name } = method_facts[payment_type]
  if (form === null) return []
  if (form.kind === 'brands') return brandEntries(method, form, given)
  const { chosen } = given.entry
  const is_chosen = chosen?.payment_type === payment_type && chosen.saved_card === null
  const place = is_chosen ? given : { ...given, entry: no_entry }
  const entry = {
    names: brands.map((brand) => `${payment_type}/${brand}`),
    is_chosen,
    title: customer_name ? wordsIn(customer_name, language) : '',
  }
  if (form.kind === 'card') {
    const fields = payForm(method, cardFields(method, place), payLabel(place), place)
    return [{ ...entry, is_card: true, marks: shownMarks(brands), form: fields }]
  }
  if (form.wallet && given.view.apple_pay) {
    const fields = walletForm(method, given.view.apple_pay, given)
    return [{ ...entry, marks: brands, form: fields, wallet: form.wallet }]
  }
  const button = form.button ? wordsIn(form.button, language) : payLabel(place)
  const fields = payForm(method, formFields(form, method, place), button, place)
  const { wallet } = form
  return [{ ...entry, marks: wallet ? brands : [], form: fields, ...(wallet ? { wallet } : {}) }]
}

type Brands = Extract<CheckoutForm, { kind: 'brands' }>

/** Several identifiers, and several methods, are one brand for a customer: of two, the easier one here. */
function brandEntries(method: Method, form: Brands, given: FormPlace): Entry[] {
  const { payment_type, brands } = method
  const { language } = given.words
  const { customer_name } = method_facts[payment_type]
  const shown = new Map<string, string[]>()
  for (const brand of brands) {
    const title = entryTitle(payment_type, brand, language)
    shown.set(title, [...(shown.get(title) ?? []), brand])
  }
  return [...shown].flatMap(([title, alike]) => {
    const [brand = ''] = alike
    if (!customer_name && isEasierElsewhere(method, title, given)) return []
    const name = brandName(brand, language)
    const { chosen } = given.entry
    const is_chosen =
      chosen?.payment_type != null &&
      entryTitle(chosen.payment_type, chosen.brand ?? '', language) === title
    const place = is_chosen ? given : { ...given, entry: no_entry }
    const hidden = html`<input type="hidden" name="brand" value="${brand}">`
    const content = payForm(
      method,
      hidden,
      buttonIn(form.button, name, language),
      place,
      `${payment_type}-${brand}`,
    )
    const names = namesOfEntry(title, given)
    // One entry of several banks has the sign of a bank.
    return { names, is_chosen, title, marks: customer_name ? [] : [brand], form: content }
  })
}

/** The name of a brand's entry, whichever method serves it. */
function entryTitle(
  payment_type: Method['payment_type'],
  brand: string,
  language: Language,
): string {
  const { customer_name } = method_facts[payment_type]
  return customer_name ? wordsIn(customer_name, language) : brandName(brand, language)
}

function namesOfEntry(title: string, { view, words: { language } }: FormPlace): string[] {
  return view.methods.flatMap(({ payment_type, brands }) =>
    brands
      .filter((brand) => entryTitle(payment_type, brand, language) === title)
      .map((brand) => `${payment_type}/${brand}`),
  )
}

function isEasierElsewhere(
  method: Method,
  title: string,
  { view, words, is_phone }: FormPlace,
): boolean {
  const { language } = words
  const same = view.methods.filter(({ payment_type, brands }) => {
    const is_brands = methods[payment_type].form?.kind === 'brands'
    return is_brands && brands.some((brand) => brandName(brand, language) === title)
  })
  const device = is_phone ? 'phone' : 'desktop'
  const best = same.find(({ payment_type }) => {
    const { form }: AnyMethod = methods[payment_type]
    return form?.kind === 'brands' && form.best_on === device
  })
  return (best ?? same[0] ?? method) !== method
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
  scope: string = method.payment_type,
): Html {
  const { path, words } = place
  return html`<form method="post" action="${path}/payments" novalidate data-busy="${words.checkout.busy}">
<input type="hidden" name="payment_type" value="${method.payment_type}">
${content}
${method.needs_email ? emailField(scope, place) : null}
<p class="fault" role="alert" hidden></p>
<button class="main" type="submit">${button}</button>
${method.payment_type === 'card' ? safeText(place) : null}
</form>`
}

/** The script opens the wallet, and fills in what it gives. */
function walletForm(method: Method, request: object, { path, words }: FormPlace): Html {
  const given = ['applepay_token', 'cardholder', ...(method.needs_email ? ['email'] : [])]
  const fields = given.map((name) => html`<input type="hidden" name="${name}">`)
  return html`<form method="post" action="${path}/payments" data-busy="${words.checkout.busy}"
 data-wallet-request="${JSON.stringify(request)}">
<input type="hidden" name="payment_type" value="${method.payment_type}">
${fields}
<p class="fault" role="alert" hidden></p>
<button class="main" type="submit">Apple Pay</button>
</form>`
}

function emailField(scope: string, place: FormPlace): Html {
  return field('email', { scope, type: 'email', autocomplete: 'email' }, place)
}

function savedCard(card: FormPlace['view']['saved_cards'][number], place: FormPlace): Entry {
  const { path, words } = place
  const { checkout, language } = words
  const { transaction_token_id, brand, last_four, exp_month, exp_year } = card
  const is_chosen = place.entry.chosen?.saved_card === transaction_token_id
  const entry = is_chosen ? place.entry : no_entry
  const until = checkout.saved_expiry(String(exp_month).padStart(2, '0'), String(exp_year))
  return {
    names: [],
    is_chosen,
    is_card: true,
    title: checkout.saved_card(brandName(brand, language), last_four),
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

function safeText({ words: { checkout } }: FormPlace): Html {
  return html`<p class="quiet safe">${padlock}<span>${checkout.safe}</span></p>`
}
