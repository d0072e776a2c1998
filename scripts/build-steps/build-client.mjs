// Writes the client as one module, the loader of the checkout as another, and their types: as
// modules, and in `cjs` for programs that use `require`.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root, run } from '../prepare.mjs'

const client = join(root, 'client')
const dist = join(client, 'dist')
for (const [dir, format] of [
  ['dist', 'esm'],
  ['dist/cjs', 'cjs'],
]) {
  await build({
    cwd: client,
    input: ['src/kaikei-client.ts', 'src/checkout.ts'],
    platform: 'neutral',
    output: { dir, format, cleanDir: true },
    logLevel: 'warn',
  })
}
run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', client])
// The compiler leaves the names of the sources in declarations.
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue
  const text = readFileSync(join(dist, name), 'utf8')
  writeFileSync(join(dist, name), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
// A folder says which kind of module its files are, declarations included.
const common = join(dist, 'cjs')
writeFileSync(join(common, 'package.json'), '{ "type": "commonjs" }\n')
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue
  mkdirSync(join(common, name, '..'), { recursive: true })
  cpSync(join(dist, name), join(common, name))
}
copyFileSync(join(root, 'LICENSE'), join(client, 'LICENSE'))
