/** Words to avoid in comments and documents, each with its replacement. */
const avoided: [word: RegExp, instead: string][] = [
  [/\blanes?\b/i, 'delivery queue'],
  [/\bwaves?\b/i, 'delivery batch'],
  [/\bnudge\w*/i, 'wake'],
  [/\b(whoever|whomever)\b/i, 'the actor: a request, a caller, a worker, a process'],
  [/\b(some|no)body\b/i, 'the actor: a request, a caller, a worker, a process'],
  [/\bverdicts?\b/i, 'outcome'],
  [/\bjudge[ds]?\b/i, 'classify'],
  [/\brehears\w*/i, 'test delivery'],
  [/\bbelieved?\b/i, 'cached, trusted or verified'],
  [/\bpatien(t|ce)\b/i, 'lock-waiting, lock_timeout'],
  [/\bfree hands?\b/i, 'free slot'],
  [/\bways? to pay\b/i, 'payment method'],
  [/\bbook(s|ed)\b/i, 'ledger; posted or recorded'],
  [/\blevers?\b/i, 'test scenario'],
  [/\bwip(e|es|ed|ing)\b/i, 'purge'],
  [/\bcomes? alone\b/i, 'a lone request'],
]

/** Phrases that read like a translation, in comments, titles of tests, documents and texts of the API. */
const phrases: [phrase: RegExp, instead: string][] = [
  [/\banew\b/i, 'again, or new'],
  [/\b(is|are|was|were|be|been|gets?) told\b/i, 'is sent, reports, notifies or shows'],
  [/\btells (?!.* apart)/i, 'sends, reports, shows or identifies'],
  [/\b(goes|go|went) on\b/i, 'continues'],
  [/\bworked (at|on)\b/i, 'processed, or in progress'],
  [/\b(is|are|be) looked for\b/i, 'is searched, or found'],
  [/\bso (many|much)\b/i, 'up to N, or the amount'],
  [/\bby hand\b/i, 'manually'],
  [/\b(of|as) before\b/i, 'earlier, previous, still or unchanged'],
  [/\bat once\b/i, 'immediately, concurrently, or in one step'],
  [/\b(set|gives? \w+) free\b/i, 'releases'],
  [/\bno obstacles?\b/i, 'works with'],
  [/\bthose who\b/i, 'the actor: customers, developers, callers'],
  [/\banother number of digits\b/i, 'the wrong number of digits'],
  [/\bwho leaves it\b/i, 'leaving the page'],
  [/\bcannot do without\b/i, 'needs'],
  [/\bthe ones? before\b/i, 'the previous one'],
]

/** Words of names that need a second reading, each with the plain one. */
const avoided_names: Readonly<Record<string, string>> = {
  anew: 'again',
  answer: 'response',
  answers: 'responses',
  kept: 'stored',
  lane: 'queue',
  lanes: 'queues',
  least: 'min',
  lever: 'trigger',
  made: 'created',
  most: 'max',
  somebody: 'the actor',
  special: 'the difference',
  told: 'reported',
  tries: 'attempts',
  wipe: 'purge',
  wiped: 'purged',
}

/** Faults of the names that a program declares. */
export function namesToAvoidIn(program: string): string[] {
  const declared = program.matchAll(
    /\b(?:const|let|function|interface|type|class) (\w+)|^ +(?:readonly )?(\w+)\??: [A-Z{(]?\w/gm,
  )
  return [...declared].flatMap(([, name = '', field = '']) => {
    const words = `${name}${field}`
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase()
      .split('_')
    return words.flatMap((word) => {
      const instead = Object.hasOwn(avoided_names, word) ? avoided_names[word] : undefined
      return instead ? [`${name}${field}: write ${instead}`] : []
    })
  })
}

/** A sentence that begins with a relative clause ("What is left …") instead of its noun. */
const relative_clause = /(?:^|[.;] )(?:what|who) (?!if\b)[^?]*?(?:[.;]|$)/i

/** A text that begins with "Where …", "Of …" or "As it …" instead of its noun. */
const loose_opening = /^(?:Where (?!necessary)|Of (?!course)|As (?:it|they) )(?![^.]*\?)/

/** Faults of one text: a comment, a title of a test, or a text of the API. */
export function phrasesIn(text: string): string[] {
  const found = phrases.flatMap(([phrase, instead]) => {
    const match = phrase.exec(text)
    return match ? [`"${match[0]}": write ${instead}`] : []
  })
  const opening = relative_clause.exec(text)
  if (opening) found.push(`"${opening[0].slice(0, 40)}": begin with the noun`)
  const loose = loose_opening.exec(text)
  if (loose) found.push(`"${text.slice(0, 40)}": begin with the noun`)
  return found
}

/** Faults of a document, whose tables may have a heading "What". */
export function phrasesInDocument(text: string): string[] {
  return phrasesIn(text).filter((fault) => !fault.endsWith('begin with the noun'))
}

export function avoidedIn(prose: string): string[] {
  return avoided.flatMap(([word, instead]) => {
    const found = word.exec(prose)
    return found ? [`"${found[0]}": write ${instead}`] : []
  })
}
