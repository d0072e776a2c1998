import { code, type Html, html, prose } from '../frame/escaped-html.ts'
import type { Language } from '../frame/page-frame.ts'
import type { Api } from './read/read-api.ts'
import type { ReferenceTexts } from './reference-texts.ts'

/** The languages of the samples, with their names. */
export const sample_languages = {
  curl: 'curl',
  javascript: 'JavaScript',
  php: 'PHP',
  python: 'Python',
  ruby: 'Ruby',
} as const

export type SampleLanguage = keyof typeof sample_languages

/** The inputs of every part of a page. */
export interface Rendering {
  readonly api: Api
  readonly base_url: string
  readonly language: Language
  readonly texts: ReferenceTexts
  readonly samples: SampleLanguage
  /** Fields of responses are always there, unless they are optional; those of requests may be left out. */
  readonly of_response?: boolean
  /** The anchor of a schema's fields on this page. */
  readonly shown: Map<string, string>
}

/** A sentence of the description, in which names of operations are links. */
export function describe({ api }: Pick<Rendering, 'api'>, text: string): Html {
  return prose(text, (name) => {
    const address = api.operationAddress(name)
    return address ? html`<a href="${address}">${code(name)}</a>` : code(name)
  })
}
