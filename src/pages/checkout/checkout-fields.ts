import type { CheckoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import type { CheckoutForm, FieldTexts, FormField } from '../../methods/contract/checkout-form.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import { mark, nameBeside, type Words } from '../hosted/hosted-parts.ts'
import { brandName, textsIn, wordsIn } from '../hosted/texts/method-words.ts'
import type { CheckoutTexts, FieldName } from './texts/checkout-texts.ts'

export interface CheckoutWords extends Words {
  readonly checkout: CheckoutTexts
}

export type Method = CheckoutView['methods'][number]

export interface FormPlace {
  /** The address of the page. */
  readonly path: string
  readonly view: CheckoutView
  readonly amount: string
  readonly words: CheckoutWords
  /** The customer's last input, and its fault. */
  readonly entry: FormEntry
  /** An app on the same device is easier than a code to scan. */
  readonly is_phone: boolean
}

/** A form as it was sent: it comes back with its values, and each fault stands at its field. */
export interface FormEntry {
  readonly values: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, string>>
  /** The payment method whose form it is; null: none was sent. */
  readonly chosen: Omit<NonNullable<CheckoutView['chosen']>, 'last_four' | 'mailed_to'> | null
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

/** One block, as a card is one thing: number, expiry and code, with their faults below. */
export function cardFields({ needs_cvv, brands }: Method, place: FormPlace): Html {
  const { view, words } = place
  const { checkout } = words
  const is_stored = view.token_type === 'recurring'
  const number = { inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 40 } as const
  const expiry = { inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 20 } as const
  const marks = brands.map((brand) => mark(brand, words.language))
  const typed = html`<span class="marks typed" aria-hidden="true">${marks}</span>`
  return html`<fieldset class="card-block"><legend class="unseen">${checkout.card}</legend>
${field('card_number', number, place, null, typed)}
<div class="pair">
${field('expiry', expiry, place)}
${needs_cvv ? cvvField(place) : null}
</div></fieldset>
${field('cardholder', { autocomplete: 'cc-name', maxlength: 255 }, place, view.customer.name)}
${is_stored ? html`<p class="quiet">${checkout.stored}</p>` : null}`
}

type Fields = Extract<CheckoutForm, { kind: 'fields' }>

/** The fields of a method, as its folder describes them. */
export function formFields(
  { fields, hidden = {}, note }: Fields,
  method: Method,
  place: FormPlace,
): Html {
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
    const own = { id, asks, texts: textsIn(texts, words.language) }
    return field(own, look, place, one.given ? given[one.given] : null)
  })
  const unseen = Object.entries(hidden).map(
    ([at, value]) => html`<input type="hidden" name="${at}" value="${value}">`,
  )
  return html`${unseen}${shown}
${note ? html`<p class="quiet">${wordsIn(note, words.language)}</p>` : null}`
}

export function cvvField(place: FormPlace, scope = 'card'): Html {
  const look = { scope, inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 8 } as const
  return field('cvv', look, place, null, code_picture)
}

const code_picture = html`<svg class="code-picture" viewBox="0 0 26 18" fill="none" stroke="currentColor"
 aria-hidden="true"><rect x=".5" y=".5" width="25" height="17" rx="3"/><path d="M1 5h24"/>
<text x="16.5" y="14.5" text-anchor="middle" font-size="7"
 fill="currentColor" stroke="none">123</text></svg>`

/** Each brand with its mark, in one question. */
function brandChoice({ id, asks, texts }: FormField, { brands }: Method, place: FormPlace) {
  const { words, entry } = place
  const { language } = words
  const { label, missing, wrong } = textsIn(texts, language)
  const chosen = entry.values[id] ?? entry.chosen?.brand
  const names = brands.map((brand, at) => {
    const name = brandName(brand, language)
    const checked = brand === chosen ? html` checked` : null
    // The first answer stands for the question, where its fault is shown.
    const first =
      at === 0
        ? html` id="${id}" data-field="${id}" data-missing="${missing}" data-wrong="${wrong}"
 data-asks="${asks.join(' ')}"${invalid(entry.faults[id])}`
        : null
    return html`<label class="brand"><input type="radio" name="${id}" value="${brand}" required
 aria-describedby="${id}-fault"${first}${checked}>${mark(brand, language)}
${nameBeside(brand, name, language)}</label>`
  })
  return html`<fieldset class="field brands"><legend>${label}</legend>
<div>${names}</div>
${faultText(id, entry.faults[id])}</fieldset>
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

/** In the block of the card, a placeholder is the label that people see. */
const placeholders: Partial<Record<FieldName, (texts: FieldTexts) => string | undefined>> = {
  card_number: () => '1234 1234 1234 1234',
  expiry: ({ hint }) => hint,
  cvv: ({ label }) => label,
}

/** A field with its label, a hint, and a place for its fault. The script reads its texts from the input. */
export function field(
  asked: FieldName | OwnField,
  look: InputLook,
  { words: { checkout }, entry }: Pick<FormPlace, 'words' | 'entry'>,
  given: string | null = null,
  picture: Html | null = null,
): Html {
  const is_own = typeof asked === 'object'
  const field_name = is_own ? asked.id : asked
  const texts = is_own ? asked.texts : checkout.fields[asked]
  const asks = is_own ? asked.asks : asked_by[asked]
  const { label, missing, wrong } = texts
  const hint = look.hint ?? texts.hint
  const { scope, name = field_name, type = 'text', inputmode, autocomplete, maxlength } = look
  const id = scope ? `${scope}-${field_name}` : field_name
  const short = placeholders[field_name as FieldName]?.(texts)
  const described = `${hint && !short ? `${id}-hint ` : ''}${id}-fault`
  const value = entry.values[field_name] ?? given
  const fault = entry.faults[field_name]
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" required autocapitalize="off" spellcheck="false"
 data-field="${field_name}" data-missing="${missing}" data-wrong="${wrong}"
 data-asks="${asks.join(' ')}" aria-describedby="${described}"${invalid(fault)}
${value ? html` value="${value}"` : null}${short ? html` placeholder="${short}"` : null}
${inputmode ? html` inputmode="${inputmode}"` : null}${maxlength ? html` maxlength="${maxlength}"` : null}
 autocomplete="${autocomplete ?? 'off'}">${picture}
${hint && !short ? html`<p class="hint" id="${id}-hint">${hint}</p>` : null}
${faultText(id, fault)}</div>`
}
