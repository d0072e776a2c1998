/** The languages of customers' pages. */
export const customer_languages = ['en', 'ja', 'zh-Hans', 'zh-Hant', 'ko'] as const
export type CustomerLanguage = (typeof customer_languages)[number]

interface Range {
  /** A tag in lower case, or `*` for every language that no other range names. */
  readonly tag: string
  /** From 0 (never) to 1. */
  readonly quality: number
}

interface Rank {
  readonly quality: number
  /** Its position in the header. */
  readonly place: number
}

const range =
  /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

// A language that was not requested is still better than one that was refused.
const not_asked: Rank = { quality: 0, place: Number.POSITIVE_INFINITY }
const refused: Rank = { quality: -1, place: Number.POSITIVE_INFINITY }

/** Browsers name the country of Chinese, and pages its script. */
const scripts = [
  [/^zh-(cn|sg|my)$/i, 'zh-hans'],
  [/^zh-(tw|hk|mo)$/i, 'zh-hant'],
] as const

function withScript(tag: string): string[] {
  const [, script] = scripts.find(([pattern]) => pattern.test(tag)) ?? []
  return script ? [tag.toLowerCase(), script] : [tag.toLowerCase()]
}

/** Invalid ranges are ignored: a broken browser should get a page, not an error. */
function readRanges(header: string): Range[] {
  return header.split(',').flatMap((part) => {
    const [, tag, quality = '1'] = range.exec(part.trim()) ?? []
    if (tag === undefined) return []
    return withScript(tag).map((one) => ({ tag: one, quality: Number(quality) }))
  })
}

function isBetter(one: Rank, other: Rank): boolean {
  return one.quality === other.quality ? one.place < other.place : one.quality > other.quality
}

/**
 * How much a language is wanted. Of the ranges that cover it the most specific decides, `en-GB` before
 * `en` before `*`. A range narrower than the language requests it too: there is no other Japanese for a
 * reader of `ja-JP`. Refusing the narrower one says nothing about the language itself.
 */
function rankOf(language: string, ranges: readonly Range[]): Rank {
  let closest: (Rank & { closeness: number }) | null = null
  let narrower = not_asked
  for (const [place, { tag, quality }] of ranges.entries()) {
    if (tag.startsWith(`${language}-`)) {
      if (isBetter({ quality, place }, narrower) && quality > 0) narrower = { quality, place }
      continue
    }
    if (tag !== '*' && tag !== language && !language.startsWith(`${tag}-`)) continue
    const closeness = tag === '*' ? 0 : tag.length
    if (closest === null || closeness > closest.closeness) closest = { quality, place, closeness }
  }
  if (closest === null || (closest.closeness === 0 && narrower !== not_asked)) return narrower
  if (closest.quality === 0) return refused
  return isBetter(narrower, closest) ? narrower : closest
}

/**
 * The language of the response, by the Accept-Language header of RFC 9110. The first one offered is the
 * default, even when the client refuses all: a page in a foreign language can be translated, a missing
 * page cannot.
 */
export function chooseLanguage<const T extends string>(
  header: string | undefined,
  offered: readonly [T, ...T[]],
): T {
  const ranges = readRanges(header ?? '')
  let [choice] = offered
  let best = rankOf(choice.toLowerCase(), ranges)
  for (const language of offered.slice(1)) {
    const rank = rankOf(language.toLowerCase(), ranges)
    if (!isBetter(rank, best)) continue
    choice = language
    best = rank
  }
  return choice
}
