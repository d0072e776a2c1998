import type { FormField } from '../../../src/methods/contract/checkout-form.ts'
import type { AnyMethod } from '../../../src/methods/contract/payment-method.ts'
import { konbini_form, konbini_give_up } from '../../../src/methods/konbini/konbini-form.ts'
import { method_facts } from '../../../src/methods/method-facts.ts'
import { methods } from '../../../src/methods/method-table.ts'
import { checkout_texts } from '../../../src/pages/checkout/texts/checkout-texts.ts'
import type { Language } from '../../../src/pages/frame/page-frame.ts'

/** The customers' texts on a checkout: of its pages, and of the payment methods. */
function wordsOf(language: Language) {
  const texts = checkout_texts[language]
  const forms = Object.values<AnyMethod>(methods).map(({ form }) => form)
  const own = forms.flatMap((form) => (form?.kind === 'fields' ? form.fields : []))
  const fieldOf = (wanted: string) => {
    const found = own.find((one): one is FormField => typeof one === 'object' && one.id === wanted)
    if (!found) throw new Error(`No form has the field ${wanted}.`)
    return found.texts[language]
  }
  const buttonOf = (type: 'online' | 'qr_merchant' | 'bank_transfer') => (brand: string) =>
    methods[type].form.button(brand, language)
  const nameOf = (type: 'card' | 'konbini' | 'qr_scan' | 'bank_transfer') =>
    method_facts[type].customer_name?.[language] ?? ''
  return {
    ...texts,
    card: nameOf('card'),
    konbini: nameOf('konbini'),
    qr_scan: nameOf('qr_scan'),
    bank_transfer: nameOf('bank_transfer'),
    get_number: (konbini_form.kind === 'fields' && konbini_form.button?.[language]) || '',
    get_account: buttonOf('bank_transfer')(''),
    show_code: buttonOf('qr_merchant')(''),
    go_to: buttonOf('online'),
    fields: {
      ...texts.fields,
      convenience_store: fieldOf('convenience_store'),
      customer_name: fieldOf('customer_name'),
      phone: fieldOf('phone'),
      scanned_qr: fieldOf('scanned_qr'),
    },
    elsewhere: { ...texts.elsewhere, give_up: { konbini: konbini_give_up[language] } },
  }
}

export const checkout_words = { en: wordsOf('en'), ja: wordsOf('ja') }
