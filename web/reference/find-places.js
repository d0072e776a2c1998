/** Letters and digits in lower case, half width and without a plural, between spaces. */
export function normalized(text) {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, ' ')
    .replaceAll(/(?<=[a-z]{2}[a-rt-z])s(?![\p{L}\p{N}_])/gu, '')
  return ` ${words.trim()} `
}

const is_japanese = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** The places of the pages, ready to be searched. */
export function readPlaces({ pages, synonyms, stop_words }) {
  const rows = pages.flatMap(rowsOf)
  const groups = synonyms.map((group) => group.map((phrase) => normalized(phrase).trim()))
  const texts = rows.flatMap((row) => (row.kind < 3 ? [row.title_words, row.keywords] : []))
  const words = texts.concat(groups.flat()).flatMap((text) => text.trim().split(' '))
  const vocabulary = new Set(words.filter((word) => word.length >= 4 && !/\d/.test(word)))
  return { rows, groups, vocabulary, stop_words: new Set(stop_words) }
}

function rowsOf({ title, path, group, excerpt, keywords, is_guide, entries }) {
  const context = normalized(`${title} ${keywords}`)
  const first = { title, address: path, page: group, text: excerpt, kind: 0, is_guide }
  const own = { ...first, title_words: normalized(title), keywords: context, context: ' ' }
  const places = entries.map(([name, fragment, kind, text, words]) => ({
    title: name,
    address: `${path}#${fragment}`,
    page: title,
    text,
    kind,
    is_guide,
    title_words: normalized(name),
    keywords: normalized(words),
    context,
  }))
  return [own, ...places].map((row) => ({ ...row, excerpt: normalized(row.text) }))
}

/** The words of a query, each with the words that mean the same. */
function termsOf(text, { groups, stop_words }) {
  const is_number = /^[\d\s-]{4,}$/.test(text)
  let rest = is_number ? ` ${text.replaceAll(/\D/g, '')} ` : normalized(text)
  const terms = []
  const phrases = groups.flatMap((group) => group.map((phrase) => ({ phrase, group })))
  for (const { phrase, group } of phrases.sort((a, b) => b.phrase.length - a.phrase.length)) {
    const wanted = is_japanese.test(phrase) ? phrase : ` ${phrase} `
    if (!rest.includes(wanted)) continue
    rest = rest.replace(wanted, ' ')
    terms.push({ word: phrase, others: group.filter((other) => other !== phrase) })
  }
  const words = rest.trim().split(' ').flatMap(segmented)
  const own = words.filter((word) => word !== '' && !stop_words.has(word))
  return [...terms, ...own.map((word) => ({ word, others: [] }))]
}

/** Japanese is written without spaces: where the browser can, its words are separated. */
function segmented(text) {
  if (!is_japanese.test(text) || !globalThis.Intl?.Segmenter) return [text]
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
  return [...segmenter.segment(text)].filter((one) => one.isWordLike).map((one) => one.segment)
}

/** How well a text has a word: as a whole word, at the beginning of one, or inside. */
function matchIn(text, word, [whole, start, inside]) {
  if (!text.includes(word)) return 0
  if (text.includes(` ${word} `)) return whole
  if (text.includes(` ${word}`)) return start
  return word.length >= 3 || is_japanese.test(word) ? inside : 0
}

function wordScore(row, word) {
  return Math.max(
    matchIn(row.title_words, word, [20, 13, 9]),
    matchIn(row.keywords, word, [12, 7, 4]),
    matchIn(row.excerpt, word, [5, 3, 2]),
    matchIn(row.context, word, [3, 2, 1]),
  )
}

function termScore(row, { word, others }) {
  return Math.max(wordScore(row, word), ...others.map((other) => wordScore(row, other) * 0.9))
}

const kind_scores = [7, 4, 2, 0]

/** Null: not found. A place that has only some of the words comes after those that have all. */
function scoreOf(row, terms, whole) {
  const scores = terms.map((term) => termScore(row, term))
  const found = scores.filter((score) => score > 0).length
  if (found === 0 || found < terms.length / 2) return null
  const sum = scores.reduce((total, score) => total + score, 0) / terms.length
  const is_title = whole.includes(row.title_words.trim())
  const begins = /^\d+$/.test(whole[0]) && row.title_words.startsWith(` ${whole[0]}`)
  const by_title = is_title ? 14 : begins ? 8 : 0
  const bonus = by_title + kind_scores[row.kind] + (row.is_guide && row.kind === 0 ? 1 : 0)
  return (sum + bonus) * (found / terms.length) ** 3
}

/** Adds the words that were probably meant to a word that occurs nowhere. */
function withCorrections(term, { rows, groups, vocabulary }) {
  if (term.others.length > 0 || rows.some((row) => wordScore(row, term.word) > 0)) return term
  const { word } = term
  if (word.length < 4 || /\d/.test(word)) return term
  const max = word.length < 8 ? 1 : 2
  const close = [...vocabulary].map((other) => ({ other, by: distance(word, other, max) }))
  const [best] = close.filter(({ by }) => by <= max).sort((a, b) => a.by - b.by)
  if (!best) return term
  const alike = close.filter(({ by }) => by === best.by).map(({ other }) => other)
  const same = groups.filter((group) => group.some((phrase) => alike.includes(phrase)))
  return { word, others: [...new Set([...alike, ...same.flat()])] }
}

/** The number of letters that are missing, wrong, too many or exchanged; more than `max` is not counted. */
function distance(a, b, max) {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same)
      const is_swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (is_swap) row[j] = Math.min(row[j], before[j - 2] + 1)
    }
    if (Math.min(...row) > max) return max + 1
    ;[before, last] = [last, row]
  }
  return last[b.length]
}

/** The best places for a query, the best first. */
export function findPlaces(places, text, max_results = 12) {
  const terms = termsOf(text, places).map((term) => withCorrections(term, places))
  if (terms.length === 0) return []
  const whole = [...terms.flatMap(({ word, others }) => [word, ...others])]
  return places.rows
    .map((row) => ({ row, score: scoreOf(row, terms, whole) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => b.score - a.score || a.row.title.length - b.row.title.length)
    .slice(0, max_results)
    .map(({ row }) => row)
}
