import { expect, test } from 'vitest'
import { useWorld } from '../../test/support/use-world.ts'
import { keyFaults } from './check-keys.ts'
import { readKeys } from './key-ring.ts'
import { openKeys } from './open-keys.ts'
import { addVaultKey, retireVaultKey } from './rotate.ts'

const world = useWorld()

test('a key that is retired while processes start is removed from the file and the database, or from neither', async () => {
  const { db, clock, config: given } = world.service
  const config = { ...given, signing_keys: null, vault_keys: null, fingerprint_keys: null }
  const keys = await openKeys(db, config, clock)
  const log = world.service.log
  for (let round = 0; round < 5; round += 1) {
    await addVaultKey({ db, config, clock, keys, log } as never)
    world.clock.advance(10_000)
    const old = keys.vault.all()[1]?.id ?? ''
    let is_over = false
    const starting = Array.from({ length: 3 }, async () => {
      while (!is_over) await openKeys(db, config, clock)
    })
    await retireVaultKey({ db, config, clock, keys, log } as never, old)
    is_over = true
    await Promise.all(starting)
    const left = readKeys(config)
    expect(await keyFaults(db, left)).toEqual([])
    expect(left.vault.find(old)).toBeNull()
    keys.vault.replace(left.vault.all())
  }
})
