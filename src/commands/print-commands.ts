import { readDemoCredentials } from '../accounts/demo/demo-credentials.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { newKeyText } from '../vault/key-ring.ts'
import type { Run } from './command-table.ts'
import { showJson } from './line/show.ts'

export const printCredentials: Run<'credentials'> = async ({ config, terminal }) => {
  const credentials = readDemoCredentials(config.data_dir)
  if (!credentials) {
    throw new PlainError(
      `There is no credentials.json in ${config.data_dir}. The first start of the service writes ` +
        'it; for other merchants use "kaikei app-tokens create".',
    )
  }
  showJson(terminal, credentials)
  return 0
}

export const printNewKey: Run<'new-key'> = async ({ terminal }) => {
  terminal.write(`${newKeyText()}\n`)
  return 0
}
