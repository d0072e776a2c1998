import type { NameLanguage, Texts } from '../../../methods/contract/payment-facts.ts'
import { findName, paymentName } from '../../../methods/payment-names.ts'
import type { Language } from '../hosted-view.ts'
import { method_words_ko } from './method-words-ko.ts'
import { method_words_zh_hans } from './method-words-zh-hans.ts'
import { method_words_zh_hant } from './method-words-zh-hant.ts'

/** The words of payment methods in languages that their folders do not have, by the English ones. */
export type MethodWords = Readonly<Record<keyof typeof method_words_zh_hans, string>>

const method_words: Readonly<
  Record<Exclude<Language, NameLanguage>, Readonly<Record<string, string>>>
> = {
  'zh-Hans': method_words_zh_hans,
  'zh-Hant': method_words_zh_hant,
  ko: method_words_ko,
}

/** A text of a payment method; names of brands that have no other form stay. */
export function wordsIn(texts: Texts, language: Language): string {
  if (language === 'en' || language === 'ja') return texts[language]
  return method_words[language][texts.en] ?? texts.en
}

export function linesIn(
  texts: Readonly<Record<NameLanguage, readonly string[]>>,
  language: Language,
): readonly string[] {
  if (language === 'en' || language === 'ja') return texts[language]
  return texts.en.map((text) => method_words[language][text] ?? text)
}

/** Texts of a field or a question, each in the language. */
export function textsIn<T extends object>(
  texts: Readonly<Record<NameLanguage, T>>,
  language: Language,
): T {
  if (language === 'en' || language === 'ja') return texts[language]
  const lines = Object.entries(texts.en).map(([name, text]) => [
    name,
    method_words[language][String(text)] ?? text,
  ])
  return Object.fromEntries(lines) as T
}

/** The button of a brand, whose name a language may put elsewhere. */
export function buttonIn(
  button: (brand: string, language: NameLanguage) => string,
  brand: string,
  language: Language,
): string {
  if (language === 'en' || language === 'ja') return button(brand, language)
  const english = button('{brand}', 'en')
  return (method_words[language][english] ?? english).replace('{brand}', brand)
}

export function brandName(brand: string, language: Language): string {
  const name = findName(brand)
  return name ? wordsIn(name, language) : paymentName(brand, 'en')
}
