import type { Config } from '../config.ts'
import { PlainError } from '../core/plain-error.ts'
import { addVaultKey, countSealedWith, resealAll, retireVaultKey } from '../vault/rotate.ts'
import { withService } from './with-service.ts'

export async function vaultCommand(config: Config, [verb, key_id]: string[]): Promise<number> {
  if (verb === 'rotate') return rotate(config)
  if (verb === 'retire' && key_id) return retire(config, key_id)
  throw new PlainError('Say "vault rotate" or "vault retire KEY".')
}

/** Adds a new key in front, then reseals everything with it. With VAULT_KEYS the operator adds the key. */
async function rotate(config: Config): Promise<number> {
  await withService(config, async ({ service }) => {
    if (config.vault_keys === null) await addVaultKey(service)
    const ring = service.keys.vault
    const count = await resealAll(service.db, ring)
    const old = ring.all().slice(1)
    process.stdout.write(`${count} values are sealed with the key "${ring.newest.id}" now.\n`)
    for (const { id } of old) {
      const left = await countSealedWith(service.db, id)
      const text = left > 0 ? `is still needed by ${left} values` : 'can be retired'
      process.stdout.write(`The key "${id}" ${text}.\n`)
    }
  })
  return 0
}

async function retire(config: Config, key_id: string): Promise<number> {
  await withService(config, ({ service }) => retireVaultKey(service, key_id))
  process.stdout.write(`The key "${key_id}" is retired.\n`)
  return 0
}
