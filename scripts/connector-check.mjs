// `npm run connector-check -- NAME`: the conformance kit of a kind of connector, against its stand-in.
// `--every-byte` cuts connections at every byte; `--live-sandbox FILE` uses a provider that runs elsewhere.
import { parseArgs } from 'node:util'
import { prepare } from './prepare.mjs'

prepare({ build: false })
const { register } = await import('tsx/esm/api')
register()
const { openHttpSubject, readHttpSandbox, startExampleAcquirer } = await import(
  './connector-check/http-subject.ts'
)
const { openStripeSubject, readStripeSandbox } = await import('./connector-check/stripe-subject.ts')
const { printResults, runChecks } = await import('./connector-check/run-checks.ts')

const subjects = {
  http: async (file) =>
    file ? readHttpSandbox(file) : openHttpSubject(await startExampleAcquirer()),
  stripe: async (file) => (file ? readStripeSandbox(file) : openStripeSubject()),
}

function readArguments() {
  const usage = `npm run connector-check -- ${Object.keys(subjects).join('|')} [--every-byte] [--live-sandbox FILE]`
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'live-sandbox': { type: 'string' }, 'every-byte': { type: 'boolean' } },
    })
    if (positionals.length === 1 && Object.hasOwn(subjects, positionals[0])) {
      return { name: positionals[0], ...values }
    }
  } catch {
    // An option that does not exist: the usage says which do.
  }
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}

const { name, 'live-sandbox': file, 'every-byte': every_byte } = readArguments()
const subject = await subjects[name](file)
try {
  const results = await runChecks(subject, { every_byte })
  process.stdout.write(printResults(results))
  if (results.some(({ status }) => status === 'failed')) process.exitCode = 1
} finally {
  await subject.stop()
}
