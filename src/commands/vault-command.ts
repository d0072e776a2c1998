import type { Config } from '../config.ts'
import { PlainError } from '../core/plain-error.ts'
import { changeKeyFile, newKeyText } from '../vault/key-ring.ts'
import { countSealedWith, resealAll } from '../vault/rotate.ts'
import { withService } from './with-service.ts'

export async function vaultCommand(config: Config, [verb, key_id]: string[]): Promise<number> {
  if (verb === 'rotate') return rotate(config)
  if (verb === 'retire' && key_id) return retire(config, key_id)
  throw new PlainError('Say "vault rotate" or "vault retire KEY".')
}

/** A new key in front, then everything is sealed with it. With VAULT_KEYS the operator adds it. */
async function rotate(config: Config): Promise<number> {
  if (config.vault_keys === null) {
    changeKeyFile(config.data_dir, 'vault', (keys) => [newKeyText(), ...keys])
  }
  await withService(config, async ({ service }) => {
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

/** Takes a key away for good, once nothing needs it any more. */
async function retire(config: Config, key_id: string): Promise<number> {
  await withService(config, async ({ service }) => {
    const { newest, find } = service.keys.vault
    if (!find(key_id)) throw new PlainError(`There is no vault key "${key_id}".`)
    if (newest.id === key_id)
      throw new PlainError('The newest key cannot be retired; rotate first.')
    const left = await countSealedWith(service.db, key_id)
    if (left > 0) {
      throw new PlainError(
        `${left} values still need the key "${key_id}". Rotate again; kept answers go after a day.`,
      )
    }
    await service.db
      .deleteFrom('key_checks')
      .where('purpose', '=', 'vault')
      .where('key_id', '=', key_id)
      .execute()
  })
  if (config.vault_keys === null) {
    changeKeyFile(config.data_dir, 'vault', (keys) =>
      keys.filter((key) => !key.startsWith(`${key_id}:`)),
    )
  }
  process.stdout.write(`The key "${key_id}" is retired.\n`)
  return 0
}
