// `npm test`: prepares, then lint, types, dead code and every test. Arguments go to the tests.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepareBrowser } from './browser.mjs'
import { prepare, root } from './prepare.mjs'

const wanted = process.argv.slice(2)
const parts = wanted.filter((part) => !part.startsWith('-'))
const of_pages = readdirSync(join(root, 'test/browser')).map((name) => `test/browser/${name}`)

prepare()
if (parts.length === 0 || of_pages.some((path) => parts.some((part) => path.includes(part)))) {
  prepareBrowser()
}

const checks = [
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['dead code', ['node_modules/knip/bin/knip.js']],
  ['tests', ['node_modules/vitest/vitest.mjs', 'run', ...wanted]],
  ...(wanted.length === 0 ? [['contract', ['scripts/check-answers.mjs']]] : []),
]
for (const [name, [program, ...args]] of checks) {
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) {
    process.stderr.write(`\n${name}: failed\n`)
    process.exit(status ?? 1)
  }
}
