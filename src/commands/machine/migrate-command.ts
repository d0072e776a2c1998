import type { MigrationProgress } from '../../store/migrate/migrate.ts'
import { openStore, prepareDatabase } from '../../store/open-store.ts'
import type { Run } from '../command-table.ts'
import { newProgress } from '../line/terminal.ts'

/** Can be interrupted at any time: the next run continues. */
export const migrateDatabase: Run<'migrate'> = async ({ config, terminal }, _, { wait }) => {
  const store = await openStore(config, { own: false, onTrouble: () => {} })
  const progress = newProgress(terminal)
  const notes: string[] = []
  try {
    const applied = await prepareDatabase(store, config, {
      waits: wait === true,
      onProgress: (found) => progress.show(progressText(found)),
      onWait: (reason) => progress.show(`Waiting: ${reason}`),
      onNote: (note) => void notes.push(note),
    })
    progress.end()
    const text = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.'
    for (const line of [text, ...notes]) terminal.write(`${line}\n`)
  } finally {
    await store.close()
  }
  return 0
}

function progressText({ name, number, count, row_count }: MigrationProgress): string {
  const rows = row_count > 0 ? `: ${row_count.toLocaleString('en')} rows` : ''
  return `Applying ${name} (${number} of ${count})${rows}`
}
