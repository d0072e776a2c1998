import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The content of `credentials.json`: all that a program needs to create its first charge. */
export interface DemoCredentials {
  base_url: string
  merchant_id: string
  store_id: string
  jwt: string
  secret: string
}

export function credentialsPath(data_dir: string): string {
  return join(data_dir, 'credentials.json')
}

/** Those of the demo shop, a merchant of its own beside the demo store. */
export function shopCredentialsPath(data_dir: string): string {
  return join(data_dir, 'demo-shop-credentials.json')
}

export function readDemoCredentials(
  data_dir: string,
  path = credentialsPath(data_dir),
): DemoCredentials | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** Readable by its owner only, from the first byte on. */
export function writeCredentials(path: string, credentials: DemoCredentials): void {
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, path)
  if (!existsSync(path)) throw new Error(`${path} could not be written.`)
}
