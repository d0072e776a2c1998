import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { temporaryFolder } from '../running-process.ts'

export const deploy_folder = fileURLToPath(new URL('../../deploy', import.meta.url))

export interface ComposeService {
  readonly image: string
  readonly environment?: Record<string, string>
  readonly secrets?: readonly string[]
  readonly stop_grace_period?: string
}

export interface ComposeFile {
  readonly services: Record<string, ComposeService>
  readonly secrets: Record<string, { readonly file: string }>
}

export function readDeployed(name: string): string {
  return readFileSync(join(deploy_folder, name), 'utf8')
}

export function readCompose(): ComposeFile {
  return parse(readDeployed('compose.yaml'), { merge: true })
}

/** A new folder with the secrets of the compose file. */
export function makeSecrets() {
  const folder = temporaryFolder()
  execFileSync(join(deploy_folder, 'make-secrets.sh'), [folder], { stdio: 'inherit' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
  return { folder, read, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
