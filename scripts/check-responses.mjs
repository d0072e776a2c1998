// Checks, after a complete run of the tests, that every route of the descriptions was called and returned each
// of its statuses at least once. Responses that cannot occur in tests are listed here, with the reason.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const folder = join(root, 'node_modules/.cache/kaikei/answers')
const seen = new Set(
  readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').trim().split('\n'),
  ),
)

/** They ask nothing of anybody, so nothing can be wrong with the question or the database. */
const never_wrong = /^GET \/(heartbeat|livez|readyz|platform|test\/scenarios) [45]XX$/

const paths = ['openapi.json', 'console-openapi.json'].flatMap((name) =>
  Object.entries(JSON.parse(readFileSync(join(root, name), 'utf8')).paths),
)
const missing = paths.flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { responses }]) =>
    Object.keys(responses)
      .map((status) => `${method.toUpperCase()} ${path} ${status.toUpperCase()}`)
      .filter((response) => !seen.has(response) && !never_wrong.test(response)),
  ),
)
for (const response of missing) process.stderr.write(`no test has seen: ${response}\n`)
process.stdout.write(`${seen.size} kinds of answers were seen, ${missing.length} are missing\n`)
process.exitCode = missing.length > 0 ? 1 : 0
