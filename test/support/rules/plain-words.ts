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

export function avoidedIn(prose: string): string[] {
  return avoided.flatMap(([word, instead]) => {
    const found = word.exec(prose)
    return found ? [`"${found[0]}": write ${instead}`] : []
  })
}
