// `npm test`: prepares, then lint, types, dead code and the tests of the code and its pages. `npm run test:system`:
// the tests of the whole program. Other arguments go to the tests: `npm test -- NAME` finds both kinds.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, prepareClient, root } from './prepare.mjs'
import { prepareBrowser } from './programs/browser.mjs'
import { preparePromtool } from './programs/promtool.mjs'
import { prepareProxies } from './programs/proxies.mjs'
import { prepareRedis } from './programs/redis.mjs'

/** Here the program is started, killed, raced, upgraded and restored, and documents are followed. */
const of_system = [
  'backup',
  'crash',
  'databases',
  'documents',
  'examples',
  'machines',
  'property',
  'releases',
  'startup',
].map((name) => `test/${name}/`)

const given = process.argv.slice(2)
const is_system = given[0] === '--system'
const wanted = is_system ? [...of_system, ...given.slice(1)] : given
const parts = wanted.filter((part) => !part.startsWith('-'))
const left_out = parts.length === 0 ? of_system : []

/** Whether tests of a folder are run. */
function runs(folder) {
  const names = readdirSync(join(root, folder), { recursive: true })
  const paths = names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
  if (parts.length === 0) return !left_out.includes(`${folder}/`)
  return paths.some((path) => parts.some((part) => path.includes(part)))
}

prepare()
prepareClient()
if (['test/browser', 'test/examples'].some(runs)) prepareBrowser()
const runs_proxies = ['test/databases', 'test/releases', 'test/deploy'].some(runs)
if (runs_proxies || runs('test/machines')) prepareRedis()
if (runs_proxies) prepareProxies()
if (runs('test/deploy')) preparePromtool()

const running = new Set()
let failed = 0

/**
 * Runs one check; its output is shown as it comes, or together at its end. The first failure stops all
 * checks.
 */
function run(name, [program, ...args], shown_at_once) {
  return new Promise((resolve) => {
    const stdio = shown_at_once ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const child = spawn(process.execPath, [join(root, program), ...args], { cwd: root, stdio })
    running.add(child)
    const said = []
    child.stdout?.on('data', (text) => said.push(text))
    child.stderr?.on('data', (text) => said.push(text))
    if (shown_at_once) process.stdout.write(`\n== ${name}\n`)
    child.on('close', (status) => {
      running.delete(child)
      if (!shown_at_once) process.stdout.write(`\n== ${name}\n${said.join('')}`)
      if (status !== 0 && failed === 0) {
        process.stderr.write(`\n${name}: failed\n`)
        failed = status ?? 1
        for (const other of running) other.kill('SIGINT')
      }
      if (failed === 0) resolve()
      else if (running.size === 0) process.exit(failed)
    })
  })
}

const checks = [
  ['lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  // Without the types of Node: the client runs in browsers, too.
  ['types of the client', 'node_modules/typescript/bin/tsc', '-p', 'client', '--noEmit'],
  ['types of the console', 'node_modules/typescript/bin/tsc', '-p', 'web/console'],
  ['dead code', 'node_modules/knip/bin/knip.js'],
]
const excluded = left_out.flatMap((folder) => ['--exclude', `${folder}**`])
const tests = ['node_modules/vitest/vitest.mjs', 'run', ...excluded, ...wanted]
// At the same time: the tests leave a processor free now and then.
await Promise.all([
  ...(is_system ? [] : checks.map(([name, ...command]) => run(name, command))),
  run('tests', tests, true),
])
if (wanted.length === 0) await run('contract', ['scripts/check-responses.mjs'], true)
