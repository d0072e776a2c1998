import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A module of this repository with everything that it imports, as a browser loads it. */
export async function bundleModule(path: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    input: path,
    platform: 'neutral',
    write: false,
    output: { format: 'esm', minify: true, codeSplitting: false },
    logLevel: 'warn',
  })
  return output[0].code
}

/**
 * A program of the tests with everything that it imports, in one file, which is returned: a process that
 * compiles the sources itself starts several seconds later. Packages are found from its place.
 */
export async function bundleProgram(path: string, name: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache/kaikei', name)
  await build({
    cwd: root,
    input: path,
    platform: 'node',
    external: /^(pg-native$|@node-rs\/|@opentelemetry\/)/,
    output: { dir: folder, format: 'esm', codeSplitting: false, entryFileNames: 'program.mjs' },
    logLevel: 'warn',
  })
  cpSync(join(root, 'src/store/migrations'), join(folder, 'migrations'), { recursive: true })
  return join(folder, 'program.mjs')
}
