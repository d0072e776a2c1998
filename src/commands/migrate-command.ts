import type { Config } from '../config.ts'
import { openStore, prepareDatabase } from '../store/open-store.ts'

export async function migrateCommand(config: Config): Promise<number> {
  const store = await openStore(config, { own: false, onTrouble: () => {} })
  try {
    const applied = await prepareDatabase(store)
    const text = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.'
    process.stdout.write(`${text}\n`)
  } finally {
    await store.close()
  }
  return 0
}
