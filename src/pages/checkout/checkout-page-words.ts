import type { FastifyRequest } from 'fastify'
import { choiceOf, chosenLanguage } from '../frame/page-frame.ts'
import { type Language, languages } from '../hosted/hosted-view.ts'
import { hosted_texts } from '../hosted/texts/hosted-texts.ts'
import type { CheckoutWords } from './checkout-fields.ts'
import { checkout_texts } from './texts/checkout-texts.ts'

/** The customer's choice, else the shop's choice, else the language of the browser. */
export function wordsOf(
  request: FastifyRequest,
  locale: Language | null,
  time_zone: string,
): CheckoutWords {
  const language =
    choiceOf(request, 'language', languages) ?? locale ?? chosenLanguage(request, languages)
  return {
    language,
    time_zone,
    texts: hosted_texts[language],
    checkout: checkout_texts[language],
  }
}
