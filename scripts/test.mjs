// `npm test`: prepares, then lint, types, dead code and every test. Arguments go to the tests.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare()

const checks = [
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['dead code', ['node_modules/knip/bin/knip.js']],
  ['tests', ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]],
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
