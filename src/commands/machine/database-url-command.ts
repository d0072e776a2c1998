import { PlainError } from '../../core/api/plain-error.ts'
import { runningConnection } from '../../store/server/embedded/embedded-postgres.ts'
import type { Run } from '../command-table.ts'

export const printDatabaseUrl: Run<'database-url'> = async ({ config, terminal }) => {
  const { data_dir, database_url } = config
  const connection = database_url ? null : await runningConnection(data_dir)
  if (!database_url && !connection) {
    throw new PlainError('The embedded database is not running. Start the service first.')
  }
  const { host = '', port, user, password, database } = connection ?? {}
  const url = `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  terminal.write(`${database_url ?? url}\n`)
  return 0
}
