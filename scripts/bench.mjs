// `npm run bench`: the whole suite; `npm run bench -- NAME`: one measurement. Each runs in processes of its own.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

// A program that was built before, to be held against another.
prepare({ build: !process.env.BENCH_PROGRAM })
const [name = 'suite'] = process.argv.slice(2)
const file = ['traffic', 'operation']
  .map((folder) => join(root, 'bench/runs', folder, `${name}-bench.ts`))
  .find((path) => existsSync(path))
if (file === undefined) {
  process.stderr.write(`There is no measurement "${name}".\n`)
  process.exit(2)
}
const { status } = spawnSync(process.execPath, ['--import', 'tsx', file], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
