import type { Counted, CountKey, OwnCounts, RequestCounts } from '../core/limits/request-counts.ts'

export type CountAsk =
  | readonly ['take', readonly CountKey[]]
  | readonly ['give_back', readonly CountKey[]]
  | readonly ['attempt', string]
  | readonly ['succeeded', string]

export type CountReply = Counted | number

export interface SharedCounts extends RequestCounts {
  /** The results of the oldest unanswered message, in its order. */
  onReplies(replies: readonly CountReply[]): void
}

/**
 * Counts in the first process, so that limits are exact whichever process handles a request. All
 * requests of one event loop turn share a message, so a busy process sends few messages.
 */
export function newSharedCounts(
  hash_key: Buffer,
  send: (asks: readonly CountAsk[]) => void,
): SharedCounts {
  type OnReply = (reply: CountReply) => void
  let asks: CountAsk[] = []
  let waiting: OnReply[] = []
  const sent: OnReply[][] = []

  function flush(): void {
    sent.push(waiting)
    send(asks)
    asks = []
    waiting = []
  }

  function ask<T extends CountReply>(question: CountAsk): Promise<T> {
    if (asks.length === 0) setImmediate(flush)
    asks.push(question)
    return new Promise<T>((resolve) => waiting.push(resolve as OnReply))
  }

  return {
    hash_key,
    take: (keys) => ask<Counted>(['take', keys]),
    giveBack: (keys) => void ask<number>(['give_back', keys]),
    attempt: (subject) => ask<number>(['attempt', subject]),
    succeeded: (subject) => void ask<number>(['succeeded', subject]),
    onReplies: (replies) => {
      for (const [index, onReply] of (sent.shift() ?? []).entries()) onReply(replies[index] ?? 0)
    },
  }
}

/** The other side: counts the requests of a message in order. */
export function replyToAsks(counts: OwnCounts, asks: readonly CountAsk[]): CountReply[] {
  return asks.map(([what, whose]) => {
    if (what === 'take') return counts.take(whose)
    if (what === 'attempt') return counts.attempt(whose)
    if (what === 'give_back') counts.giveBack(whose)
    else counts.succeeded(whose)
    return 0
  })
}
