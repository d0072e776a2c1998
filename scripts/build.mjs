// Writes the program as one file: a start that reads a thousand modules takes a second longer.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { compressFiles } from './build-steps/compress-files.mjs'
import { documentFiles, page_folders } from './prepare.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = new URL('../dist/', import.meta.url)

// The console in `web` has its own build.
mkdirSync(dist, { recursive: true })
for (const name of readdirSync(dist)) {
  if (name !== 'web') rmSync(new URL(name, dist), { recursive: true })
}

await build({
  cwd: root,
  input: 'src/cli.ts',
  platform: 'node',
  // Not bundled: a faster driver that the database package takes when it is there, packages that bring a
  // native program of their own, and what only traces need.
  external: (id, importer = '') =>
    id === 'pg-native' ||
    id.startsWith('@node-rs/') ||
    (id.startsWith('@opentelemetry/') && importer.includes('/src/traces/')),
  output: { dir: 'dist', format: 'esm', chunkFileNames: '[name].js' },
  logLevel: 'warn',
})
cpSync(new URL('../src/store/migrations', import.meta.url), new URL('migrations', dist), {
  recursive: true,
})
for (const name of documentFiles()) {
  cpSync(new URL(`../${name}`, import.meta.url), new URL(`documents/${name}`, dist))
}
// Styles, scripts and icons of the pages.
for (const name of page_folders) {
  const target = new URL(`web/${name}`, dist)
  rmSync(target, { recursive: true, force: true })
  cpSync(new URL(`../web/${name}`, import.meta.url), target, { recursive: true })
  await compressFiles(fileURLToPath(target))
}
