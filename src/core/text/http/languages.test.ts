import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseLanguage, customer_languages } from './languages.ts'

const offered = ['en', 'ja', 'zh-TW'] as const

describe('of English, Japanese and the Chinese of Taiwan', () => {
  test.each([
    ['without a header the first', undefined, 'en'],
    ['for an empty header the first', '', 'en'],
    ['for a language we do not have the first', 'fr', 'en'],
    ['the one that is asked for', 'ja', 'ja'],
    ['whatever the case', 'JA', 'ja'],
    ['a region of it', 'ja-JP', 'ja'],
    ['a script and a region of it', 'ja-Jpan-JP', 'ja'],
    ['not one that only starts alike', 'jam, jav-ID', 'en'],
    ['the first of two', 'ja, en', 'ja'],
    ['the first of two that are wanted alike', 'ja;q=0.5, en;q=0.5', 'ja'],
    ['the one that is wanted more', 'en;q=0.8, ja;q=0.9', 'ja'],
    ['as browsers ask', 'ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7', 'ja'],
    ['the first that we have', 'fr-CH, fr;q=0.9, ja;q=0.8, en;q=0.7, *;q=0.5', 'ja'],
    ['the region rather than the language', 'ja;q=0.9, en-GB, en;q=0.8', 'en'],
    ['a wider range', 'zh', 'zh-TW'],
    ['the exact region', 'zh-TW', 'zh-TW'],
    ['not another region', 'zh-CN', 'en'],
    ['the closest range decides', 'zh, zh-TW;q=0.1, ja;q=0.5', 'ja'],
    ['wherever it stands', 'zh-TW;q=0.1, zh, ja;q=0.5', 'ja'],
    ['any', '*', 'en'],
    ['any but the named', '*, en;q=0.5', 'ja'],
    ['any but the refused', '*, en;q=0', 'ja'],
    ['any after the named', 'zh-TW, *;q=0.5', 'zh-TW'],
    ['any before the named', 'ja;q=0.5, *;q=0.8', 'en'],
    ['any is not for a language with a region of its own', '*;q=0.8, en-GB;q=0.1', 'ja'],
    ['not the one refused', 'en;q=0', 'ja'],
    ['not the one refused, with decimals', 'en;q=0.000, fr', 'ja'],
    ['not the ones refused', 'en;q=0, ja;q=0.', 'zh-TW'],
    ['not the one refused by a wider range', 'zh;q=0, en;q=0, ja;q=0.001', 'ja'],
    ['the first if all are refused', 'ja;q=0, en;q=0, zh;q=0', 'en'],
    ['the first if all are refused at once', '*;q=0', 'en'],
    ['the only one not refused', '*;q=0, ja;q=0.1', 'ja'],
    ['a language of which one region is refused', 'en-GB;q=0, en;q=0.9, ja;q=0.8', 'en'],
    ['without spaces', 'fr,ja;q=0.5', 'ja'],
    ['with spaces and tabs', ' fr ,\tja ; Q=0.5 ', 'ja'],
    ['with empty parts', ',, ja ,,', 'ja'],
    ['without what has a broken quality', 'en;q=2, zh-TW;q=-1, en;q=0.1234, ja;q=0.1', 'ja'],
    ['without what has a broken tag', 'en_US, toolonglanguage, zh--TW, -ja, ja;q=0.1', 'ja'],
    ['not for other parameters', 'en;level=1, ja;q=0.1', 'ja'],
    ['not for a letter that only looks like one when lowered', '\u212aa, JA', 'ja'],
  ])('%s', (_, header, language) => {
    expect(chooseLanguage(header, offered)).toBe(language)
  })
})

test('the answer is spelled and typed as it was offered', () => {
  const language: 'ja-JP' | 'EN' = chooseLanguage('en', ['ja-JP', 'EN'])
  expect(language).toBe('EN')
  expect(chooseLanguage('ja', ['EN', 'ja-JP'])).toBe('ja-JP')
  expect(chooseLanguage('*;q=0, fr', ['ja'])).toBe('ja')
})

/**
 * The lookup of RFC 4647: ranges by descending preference, each shortened from its end until one
 * matches.
 */
function lookUp(ranges: [tag: string, thousandths: number][], languages: string[]): string {
  const refused = ranges.flatMap(([tag, wanted]) => (wanted === 0 ? [tag] : []))
  const left = languages.filter((language) => !refused.includes(language))
  const named = (language: string) =>
    ranges.some(
      ([tag, wanted]) => wanted > 0 && (tag === language || tag.startsWith(`${language}-`)),
    )
  const sorted = ranges.filter(([, wanted]) => wanted > 0).sort(([, a], [, b]) => b - a)
  for (const [tag] of sorted) {
    if (tag === '*') {
      const other = left.find((language) => !named(language))
      if (other !== undefined) return other
      continue
    }
    const parts = tag.split('-')
    for (let length = parts.length; length > 0; length -= 1) {
      const cut = parts.slice(0, length).join('-')
      if (left.includes(cut)) return cut
    }
  }
  const is_any_refused = refused.includes('*')
  const rest = left.filter((language) => !is_any_refused || named(language))
  return rest[0] ?? languages[0] ?? ''
}

test('the choice is that of a lookup by RFC 4647', () => {
  const tags = ['ja', 'ja-JP', 'en', 'en-GB', 'en-US', 'en-Latn-US', 'fr', 'fr-CA', 'de', '*']
  const thousandths = fc.oneof(fc.constantFrom(0, 500, 1000), fc.nat(1000))
  const ranges = fc.uniqueArray(fc.tuple(fc.constantFrom(...tags), thousandths), {
    selector: ([tag]) => tag,
  })
  const languages = fc.shuffledSubarray(['en', 'ja', 'fr', 'ko'], { minLength: 1 })
  fc.assert(
    fc.property(ranges, languages, (list, [first = '', ...others]) => {
      const header = list.map(([tag, wanted]) => `${tag};q=${wanted / 1000}`).join(', ')
      expect(chooseLanguage(header, [first, ...others])).toBe(lookUp(list, [first, ...others]))
    }),
    { numRuns: 20_000 },
  )
})

describe('garbage', () => {
  test('never does harm', () => {
    const pieces = fc.constantFrom('ja', 'en', '-', '*', ';', 'q=', '0', '1', '..', ',', ' ', '\0')
    const noise = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: pieces }))
    fc.assert(
      fc.property(noise, (header) => {
        expect(offered).toContain(chooseLanguage(header, offered))
      }),
      { numRuns: 5000 },
    )
  })

  // Two megabytes each. A pattern that backtracks would take minutes.
  test.each([
    ['letters', 'a'],
    ['commas', ','],
    ['spaces', ' '],
    ['spaces after a tag', 'ja', ' ', 'x'],
    ['spaces after a semicolon', 'ja;', ' ', 'x'],
    ['spaces before a tag', '', ' ', 'ja'],
    ['hyphens', '-'],
    ['subtags', 'ja', '-a', '!'],
    ['ranges', '', 'ja-JP;q=0.5,'],
    ['stars', '', '*,'],
    ['semicolons', 'ja', ';', ''],
    ['decimals', 'ja;q=0.', '0', ''],
  ])('a megabyte of %s is read once', (_, start, repeated = start, end = '') => {
    const header = start + repeated.repeat(2_000_000 / repeated.length) + end
    const { user } = process.cpuUsage()
    expect(offered).toContain(chooseLanguage(header, offered))
    expect(process.cpuUsage().user - user).toBeLessThan(5_000_000)
  })
})

test.each([
  ['zh-CN,zh;q=0.9', 'zh-Hans'],
  ['zh-TW,zh;q=0.9,en;q=0.8', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh', 'zh-Hans'],
  ['ko-KR,ko;q=0.9', 'ko'],
  ['de-DE', 'en'],
])('customers with %s read %s', (header, language) => {
  expect(chooseLanguage(header, customer_languages)).toBe(language)
})
