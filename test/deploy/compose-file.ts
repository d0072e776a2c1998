import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { temporaryFolder } from '../support/fleet/running-process.ts'

export const deploy_folder = fileURLToPath(new URL('../../deploy', import.meta.url))

export interface ComposeService {
  readonly image: string
  readonly environment?: Record<string, string>
  readonly secrets?: readonly string[]
  readonly stop_grace_period?: string
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[] | Record<string, { readonly ipv4_address?: string }>
  readonly healthcheck?: { readonly timeout?: string; readonly disable?: boolean }
}

interface ComposeNetwork {
  readonly ipam?: { readonly config: readonly { subnet: string; ip_range?: string }[] }
}

export interface ComposeFile {
  readonly services: Record<string, ComposeService>
  readonly networks: Record<string, ComposeNetwork>
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

export interface Manifest {
  readonly kind: string
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own shape, and the tests read parts of them.
  readonly spec: any
  readonly data?: Record<string, string>
}

export function readManifests(name: string): Manifest[] {
  return parseAllDocuments(readDeployed(`kubernetes/${name}`)).map((one) => one.toJS())
}
