import { addVaultKey, countSealedWith, resealAll, retireVaultKey } from '../../vault/rotate.ts'
import type { Run } from '../command-table.ts'
import { newProgress } from '../line/terminal.ts'
import { withService } from '../line/with-service.ts'

/** Adds a new key in front, then reseals everything with it. With VAULT_KEYS the operator adds the key. */
export const rotateVault: Run<'vault rotate'> = async ({ config, terminal }) => {
  await withService(config, async ({ service }) => {
    if (config.vault_keys === null) await addVaultKey(service)
    const ring = service.keys.vault
    const progress = newProgress(terminal)
    const count = await resealAll(service.db, ring, (done, table) =>
      progress.show(`Resealing: ${done} values, now in ${table}`),
    )
    progress.end()
    terminal.write(`${count} values are now sealed with the key "${ring.newest.id}".\n`)
    for (const { id } of ring.all().slice(1)) {
      const left = await countSealedWith(service.db, id)
      const text = left > 0 ? `still seals ${left} values` : 'can be retired'
      terminal.write(`The key "${id}" ${text}.\n`)
    }
  })
  return 0
}

export const retireKey: Run<'vault retire'> = async ({ config, terminal }, [key_id = '']) => {
  await withService(config, ({ service }) => retireVaultKey(service, key_id))
  terminal.write(`The key "${key_id}" is retired.\n`)
  return 0
}
