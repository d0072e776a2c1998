import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export const languages = ['ja', 'en'] as const
export type Language = (typeof languages)[number]

/** The same keys in another language; texts with values are functions of the same values. */
type Same<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string
    ? string
    : Words[Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Same<Words[Key]>
}

export type Dictionary<Words> = Readonly<Record<Language, Same<Words>>>

/** The texts of a screen. A key that one language lacks is an error of the compiler. */
export function defineWords<Words extends object>(en: Words, ja: Same<Words>): Dictionary<Words> {
  return { en: en as Same<Words>, ja }
}

interface Choice {
  readonly language: Language
  readonly choose: (language: Language) => void
}

const Chosen = createContext<Choice>({ language: 'en', choose: () => {} })

/** The cookie is that of the other pages, so a choice holds everywhere. */
function readChoice(): Language {
  const remembered = /(?:^|; )console_language=(ja|en)/.exec(document.cookie)?.[1]
  return (remembered ?? document.documentElement.lang) === 'ja' ? 'ja' : 'en'
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(readChoice)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choice = useMemo(() => {
    const choose = (wanted: Language) => {
      const a_year_s = 31_536_000
      // biome-ignore lint/suspicious/noDocumentCookie: the server reads it for the first page
      document.cookie = `console_language=${wanted}; Path=/console; Max-Age=${a_year_s}; SameSite=Lax`
      setLanguage(wanted)
    }
    return { language, choose }
  }, [language])
  return <Chosen value={choice}>{children}</Chosen>
}

export function useLanguage(): Choice {
  return useContext(Chosen)
}

export function useWords<Words>(dictionary: Dictionary<Words>): Same<Words> {
  return dictionary[useContext(Chosen).language]
}
