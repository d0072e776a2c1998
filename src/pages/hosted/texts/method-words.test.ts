import { expect, test } from 'vitest'
import type { AnyMethod } from '../../../methods/contract/payment-method.ts'
import { konbini_guides } from '../../../methods/konbini/konbini-guides.ts'
import { method_facts } from '../../../methods/method-facts.ts'
import { methods } from '../../../methods/method-table.ts'
import { method_words_zh_hans } from './method-words-zh-hans.ts'

/** Everything English that a customer can read of the payment methods. */
function customerTexts(): string[] {
  const forms = Object.values<AnyMethod>(methods).flatMap(({ form, taken_along }) => {
    const kept = taken_along ? Object.values(taken_along.texts.en) : []
    if (form?.kind === 'brands') return [form.button('{brand}', 'en'), ...kept]
    if (form?.kind !== 'fields') return kept
    const fields = form.fields.flatMap((one) =>
      typeof one === 'object' ? Object.values<string>({ ...one.texts.en }) : [],
    )
    return [...fields, form.button?.en, form.note?.en, ...kept]
  })
  const guides = Object.values(konbini_guides).flatMap((guide) => [
    ...[...guide.numbers, ...(guide.without_company ?? [])].map(([, { en }]) => en),
    ...guide.steps.en,
    guide.heading.en,
    guide.note?.en,
  ])
  const names = Object.values(method_facts).map(({ customer_name }) => customer_name?.en)
  // Its owner's word in every language.
  const translated = [...forms, ...guides, ...names].filter((text) => text !== 'Apple Pay')
  return translated.flatMap((text) => text ?? [])
}

test('every text of a payment method that a customer reads is translated', () => {
  const missing = customerTexts().filter((text) => !Object.hasOwn(method_words_zh_hans, text))
  expect(missing).toEqual([])
})
