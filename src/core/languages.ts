interface Range {
  /** A tag in small letters, or `*` for every language that no other range names. */
  readonly tag: string
  /** From 0, never, to 1. */
  readonly quality: number
}

interface Rank {
  readonly quality: number
  /** Where in the header it was asked for. */
  readonly place: number
}

const range =
  /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

// A language that nobody asked for is still better than one that was refused.
const not_asked: Rank = { quality: 0, place: Number.POSITIVE_INFINITY }
const refused: Rank = { quality: -1, place: Number.POSITIVE_INFINITY }

/** What is no range is left out: a broken browser shall get a page, not an error. */
function readRanges(header: string): Range[] {
  return header.split(',').flatMap((part) => {
    const [, tag, quality = '1'] = range.exec(part.trim()) ?? []
    return tag === undefined ? [] : [{ tag: tag.toLowerCase(), quality: Number(quality) }]
  })
}

function isBetter(one: Rank, other: Rank): boolean {
  return one.quality === other.quality ? one.place < other.place : one.quality > other.quality
}

/**
 * How much a language is wanted. Of the ranges that cover it the closest decides, `en-GB` before
 * `en` before `*`. A range that is narrower than the language asks for it too: we have no other
 * Japanese for who reads `ja-JP`. Refusing the narrower one says nothing of the language itself.
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
 * The language to answer in, by the header Accept-Language of RFC 9110. The first one offered is
 * the default, and is given even to who refuses all: a page in a foreign language can be
 * translated, no page cannot.
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
