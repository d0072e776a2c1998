import type { Config } from '../config.ts'
import { PlainError } from '../core/plain-error.ts'
import { readDemoCredentials } from '../resources/merchants/demo-merchant.ts'
import { runningConnection } from '../store/server/embedded-postgres.ts'
import { newKeyText } from '../vault/key-ring.ts'

export async function credentialsCommand({ data_dir }: Config): Promise<number> {
  const credentials = readDemoCredentials(data_dir)
  if (!credentials) {
    throw new PlainError(
      `There is no credentials.json in ${data_dir}. The first start of the service writes it; ` +
        'for other merchants use "kaikei app-tokens create".',
    )
  }
  process.stdout.write(`${JSON.stringify(credentials, null, 2)}\n`)
  return 0
}

export async function databaseUrlCommand({ data_dir, database_url }: Config): Promise<number> {
  const connection = database_url ? null : await runningConnection(data_dir)
  if (!database_url && !connection) {
    throw new PlainError('The embedded database does not run. Start the service first.')
  }
  const { host = '', port, user, password, database } = connection ?? {}
  const url = `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  process.stdout.write(`${database_url ?? url}\n`)
  return 0
}

export async function newKeyCommand(): Promise<number> {
  process.stdout.write(`${newKeyText()}\n`)
  return 0
}
