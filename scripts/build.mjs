// Writes the program as one file: a start that reads a thousand modules takes a second longer.
import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

await build({
  cwd: root,
  input: 'src/cli.ts',
  platform: 'node',
  // Not bundled: a faster driver that the database package takes when it is there, and packages that
  // bring a native program of their own.
  external: ['pg-native', /^@node-rs\//],
  output: { dir: 'dist', format: 'esm', chunkFileNames: '[name].js', cleanDir: true },
  logLevel: 'warn',
})
cpSync(
  new URL('../src/store/migrations', import.meta.url),
  new URL('../dist/migrations', import.meta.url),
  {
    recursive: true,
  },
)
// Styles, scripts and icons of the pages.
cpSync(new URL('../web', import.meta.url), new URL('../dist/web', import.meta.url), {
  recursive: true,
})
