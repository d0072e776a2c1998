import { setTimeout as sleep } from 'node:timers/promises'
import { second_ms } from '../core/time/clock.ts'
import type { SharedServer } from '../shared-state/shared-server.ts'
import { type CvvKeys, living_slots, type OwnCvvKeys, slotOfSealed } from './cvv-keys.ts'
import { type Keys, keyedHash } from './key-ring.ts'
import { SealBroken, type SealContext, seal, unseal } from './seal.ts'

/** Stores the key of a machine for an interval, and returns those of all machines. */
export const cvv_keys_script = `
if #ARGV > 0 then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return redis.call('HVALS', KEYS[1])
`

const exchange_ms = 2 * second_ms

export interface SharedCvvKeys extends CvvKeys {
  stop(): void
}

/**
 * Machines exchange their keys of security codes through the shared server, sealed with the vault key and for
 * five minutes at most. Each machine seals with its own keys, and exchanges them before it uses them: so
 * every machine can open what another sealed, also when the server has gone away since. Keys that were made
 * while it was away are exchanged as soon as it is back.
 */
export async function shareCvvKeys(
  own: OwnCvvKeys,
  server: SharedServer,
  keys: Keys,
): Promise<SharedCvvKeys> {
  const stopping = new AbortController()

  function nameOf(slot: number): string {
    const hash = keyedHash(keys.fingerprint.newest, 'shared security code keys', String(slot))
    return `kaikei:${hash.toString('base64url', 0, 16)}`
  }

  /** Fails when the server does: then it is away, which is logged, and all is exchanged when it is back. */
  async function exchange(slot: number): Promise<void> {
    const key = own.find(slot)
    const args = key ? sealedArguments(keys, slot, key, own.leftMs(slot)) : []
    const found = (await server.run(cvv_keys_script, [nameOf(slot)], args)) as string[] | null
    for (const text of found ?? []) {
      const other = unsealed(keys, slot, text)
      if (other) own.add(slot, other)
    }
  }

  const exchangeAll = (slots: readonly number[]) => Promise.all(slots.map(exchange)).catch(() => {})

  /**
   * Creates the key of the next interval in advance. Throws when the key cannot be written; the
   * readiness probe reports this.
   */
  async function exchangeNext(): Promise<void> {
    const slot = own.slot()
    for (const next of [slot, slot + 1]) own.make(next)
    await exchangeAll([slot, slot + 1])
  }

  const exchangeLiving = () =>
    exchangeAll(Array.from({ length: living_slots }, (_, age) => own.slot() - age))

  async function keepExchanging(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(exchange_ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (!stopping.signal.aborted) await exchangeNext().catch(() => {})
    }
  }

  server.onBack(() => void exchangeLiving())
  await exchangeNext().catch(() => {})
  await exchangeLiving()
  void keepExchanging()

  const { isOver, destroyOld, checkWritable } = own
  return {
    seal: (binding, cvv) => {
      const slot = own.slot()
      const is_prepared = own.find(slot) !== null
      const sealed = own.seal(binding, cvv)
      // The time of the database has jumped: the others get the key now.
      if (!is_prepared) void exchangeAll([slot])
      return sealed
    },
    isOver,
    destroyOld,
    checkWritable,
    open: (binding, sealed) => {
      const cvv = own.open(binding, sealed)
      if (cvv !== null || isOver(sealed) || server.isAway()) return cvv
      return exchangeAll([slotOfSealed(sealed)]).then(() => own.open(binding, sealed))
    },
    stop: () => stopping.abort(),
  }
}

const contextOf = (slot: number): SealContext => ({
  table: 'shared state',
  column: 'cvv key',
  merchant_id: '',
  row_id: String(slot),
})

function sealedArguments({ vault, fingerprint }: Keys, slot: number, key: Buffer, left_ms: number) {
  const id = keyedHash(fingerprint.newest, 'security code key', key).toString('base64url', 0, 16)
  const text = seal(vault, contextOf(slot), key).toString('base64')
  return [id, text, Math.max(1, left_ms)]
}

/** Null: it was sealed with a vault key that this machine does not have yet. */
function unsealed({ vault }: Keys, slot: number, text: string): Buffer | null {
  try {
    return unseal(vault, contextOf(slot), Buffer.from(text, 'base64'))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
