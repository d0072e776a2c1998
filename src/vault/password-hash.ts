import { availableParallelism } from 'node:os'
import { plainPassword } from '../core/access/password-rules.ts'
import { fail } from '../core/api/errors.ts'
import { type KeyRing, keyedHash } from './key-ring.ts'

/** Hashes passwords with Argon2id, off the event loop and only a few at the same time. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Without a hash a dummy is compared: it takes as long and never matches. */
  verify(hash: string | null, password: string): Promise<boolean>
  /** Whether a hash was computed with other parameters than the current ones. */
  isOutdated(hash: string): boolean
}

export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const usual_cost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const argon2id = 2

/** At most half of the processors: requests without a hash use the others. */
const max_running = Math.max(1, Math.floor(availableParallelism() / 2))
const max_waiting = 20

/**
 * The key is mixed into every hash, so that a copy of the database alone allows no guessing. When the
 * queue is full, logins get 503: a flood of them costs no more than this.
 */
export function newPasswords(ring: KeyRing, cost: PasswordCost = usual_cost): Passwords {
  const run = newQueue(max_running, max_waiting)
  const beginning = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
  const of_nobody = `${beginning}${'A'.repeat(22)}$${'A'.repeat(43)}`
  const options = () => ({
    ...cost,
    algorithm: argon2id,
    secret: keyedHash(ring.newest, 'password', ''),
  })
  return {
    hash: (password) =>
      run(async () => {
        const argon2 = await import('@node-rs/argon2')
        return argon2.hash(plainPassword(password), options())
      }),
    verify: (hash, password) =>
      run(async () => {
        const argon2 = await import('@node-rs/argon2')
        return argon2.verify(hash ?? of_nobody, plainPassword(password), options())
      }),
    isOutdated: (hash) => !hash.startsWith(beginning),
  }
}

/** Runs up to `max_running` tasks; more wait in a bounded queue, and the rest is refused. */
function newQueue(max_running: number, max_waiting: number) {
  const waiting: (() => void)[] = []
  let running = 0

  function next(): void {
    running -= 1
    waiting.shift()?.()
  }

  return function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= max_running && waiting.length >= max_waiting) {
      fail('SERVICE_UNAVAILABLE', { retry_after_s: 2 })
    }
    const start = () => {
      running += 1
      return work().finally(next)
    }
    if (running < max_running) return start()
    return new Promise((resolve, reject) => {
      waiting.push(() => start().then(resolve, reject))
    })
  }
}
