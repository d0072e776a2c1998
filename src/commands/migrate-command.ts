import { openStore, prepareDatabase } from '../store/open-store.ts'
import type { Run } from './command-table.ts'
import { newProgress } from './terminal.ts'

export const migrateDatabase: Run<'migrate'> = async ({ config, terminal }) => {
  const store = await openStore(config, { own: false, onTrouble: () => {} })
  const progress = newProgress(terminal)
  try {
    const applied = await prepareDatabase(store, undefined, (name, number, count) =>
      progress.show(`Applying ${name} (${number} of ${count})`),
    )
    progress.end()
    const text = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.'
    terminal.write(`${text}\n`)
  } finally {
    await store.close()
  }
  return 0
}
