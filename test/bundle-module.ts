import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/** A module of this repository with everything that it imports, as a browser loads it. */
export async function bundleModule(path: string): Promise<string> {
  const { output } = await build({
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: path,
    platform: 'neutral',
    write: false,
    output: { format: 'esm', minify: true, codeSplitting: false },
    logLevel: 'warn',
  })
  return output[0].code
}
