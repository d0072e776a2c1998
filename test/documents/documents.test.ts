import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payment_types } from '../../src/core/payments/payment-types.ts'
import {
  freePort,
  type Running,
  removeFolder,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { client_output, clientProgram } from './client-program.ts'
import { type Block, readBlocks } from './document-blocks.ts'
import { type DocumentShell, openShell } from './document-shell.ts'
import { compareOutput } from './shown-output.ts'

// Readers paste the blocks of a document one after the other, in the folder of the repository and beside
// a running service. So does this test, in a folder that has its own `data` and links to everything else.
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = temporaryFolder()
const data_dir = join(folder, 'data')
const counts = { run: 0, compared: 0, marked: 0 }
let service: Running

beforeAll(async () => {
  for (const name of readdirSync(root)) {
    if (name !== 'data') symlinkSync(join(root, name), join(folder, name))
  }
  mkdirSync(join(data_dir, 'node_modules'), { recursive: true, mode: 0o711 })
  symlinkSync(join(root, 'client'), join(data_dir, 'node_modules/kaikei-client'))
  service = await startProcess({ DATA_DIR: data_dir })
})
afterAll(async () => {
  await service?.stop()
  removeFolder(folder, data_dir)
  const { run, compared, marked } = counts
  process.stdout.write(`Blocks of documents: ${run} run, ${compared} compared, ${marked} marked\n`)
})

const read = (name: string) => readFileSync(join(root, name), 'utf8')

function markdownIn(path: string): string[] {
  const names = readdirSync(join(root, path), { recursive: true }) as string[]
  return names.filter((name) => name.endsWith('.md')).map((name) => join(path, name))
}

const client_readme = 'client/README.md'
const documents = ['README.md', 'CONTRIBUTING.md', client_readme]
  .concat(markdownIn('docs'), markdownIn('examples'))
  // The Japanese ones have the blocks of the English ones, which another test compares.
  .filter((name) => !name.startsWith(join('docs', 'ja')) && readBlocks(read(name)).length > 0)

async function inShell(run: (shell: DocumentShell, port: number) => Promise<void>) {
  const { PATH = '', HOME = '' } = process.env
  const port = await freePort()
  const shell = openShell(folder, { PATH, HOME, PORT: String(port) })
  try {
    await run(shell, port)
  } finally {
    await shell.close()
  }
}

/** The output that a document shows below a block, if it does. */
function shownBelow(blocks: Block[], index: number): Block | null {
  const next = blocks[index + 1]
  return next?.follows && ['json', 'text'].includes(next.language) && !next.marker ? next : null
}

function expectOutput(shown: Block, printed: string): void {
  const { expected, actual } = compareOutput(shown.language, shown.text, printed)
  expect(actual, `line ${shown.line}`).toEqual(expected)
}

const is_running = /^keeps running(?:, needs (?<program>\w+))?$/

/** A program of a block that is not installed here: the block cannot be run. */
function lacksProgram({ marker }: Block): boolean {
  const { program } = is_running.exec(marker ?? '')?.groups ?? {}
  return program !== undefined && spawnSync(program, ['--version']).status !== 0
}

async function runBlock(shell: DocumentShell, { text, marker }: Block, shown: Block | null) {
  if (is_running.test(marker ?? '')) {
    const printed = await shell.start(text)
    await expect.poll(printed, { message: text }).not.toBe('')
    if (shown) await expect.poll(printed).toMatch(shown.text.split('…')[0] ?? '')
    return
  }
  const printed = await (marker === 'answers an error' ? shell.runRefused(text) : shell.run(text))
  if (shown) expectOutput(shown, printed)
}

/**
 * Runs the block, or counts the reason why not; a block that is neither run nor compared nor marked is
 * refused.
 */
async function visitBlock(shell: DocumentShell, name: string, blocks: Block[], index: number) {
  const block = blocks[index] as Block
  const { language, marker, follows, line, text } = block
  if (marker?.startsWith('not run: ') || lacksProgram(block)) counts.marked += 1
  else if (language === 'sh') {
    const shown = shownBelow(blocks, index)
    await runBlock(shell, block, shown)
    counts.run += 1
    if (shown) counts.compared += 1
  } else if (language === 'json') JSON.parse(text)
  else if (language === 'js' && name === client_readme) counts.run += 1
  else if (language !== 'text' || !follows)
    throw new Error(`${name}:${line} cannot be run: mark it.`)
}

test.each(documents)('the blocks of %s run and print what it shows', (name) =>
  inShell(async (shell, port) => {
    const blocks = readBlocks(read(name).replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`))
    for (const index of blocks.keys()) await visitBlock(shell, name, blocks, index)
  }),
)

test("the blocks of the client's README are a program that works", () =>
  inShell(async (shell) => {
    const blocks = readBlocks(read(client_readme)).filter(({ language }) => language === 'js')
    const { text, secret } = clientProgram(blocks.map((block) => block.text))
    writeFileSync(join(data_dir, 'readme.mjs'), text)
    const printed = await shell.start(`demo() { node -p "require('./data/credentials.json').$1"; }
      export KAIKEI_URL=$(demo base_url) KAIKEI_SECRET=$(demo secret) KAIKEI_JWT=$(demo jwt)
      WEBHOOK_SECRET=${secret} node data/readme.mjs 2>&1`)
    await expect.poll(printed).toMatch(client_output)
  }))

test('the sample of the start page, pasted into sh, charges a card and prints a payment page', async () => {
  const { PATH = '', HOME = '' } = process.env
  const html = await (await fetch(service.url, { headers: { accept: 'text/html' } })).text()
  const [, sample = ''] = /<pre[^>]*><code>([^<]*)<\/code>/.exec(html) ?? []
  const pasted = sample.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  const { stdout, stderr } = spawnSync('sh', {
    cwd: folder,
    env: { PATH, HOME },
    input: pasted,
    encoding: 'utf8',
  })
  const [status, page = '', ...others] = stdout.trim().split('\n')
  expect({ status, others, stderr }).toEqual({ status: 'pending', others: [], stderr: '' })
  expect((await fetch(page)).status).toBe(200)
})

test('every payment method has a page, which creates its token', () => {
  for (const payment_type of payment_types) {
    const page = `docs/payment-methods/${payment_type.replaceAll('_', '-')}.md`
    expect(existsSync(join(root, page)), page).toBe(true)
    expect(read(page)).toContain(`"payment_type": "${payment_type}"`)
  }
})

test('the rule can fail: another output, another field and a block that fails are seen', async () => {
  const differs = (shown: object, printed: object) => {
    const { expected, actual } = compareOutput(
      'json',
      JSON.stringify(shown),
      JSON.stringify(printed),
    )
    return JSON.stringify(expected) !== JSON.stringify(actual)
  }
  expect(differs({ id: '…', amount: 1 }, { id: 'x', amount: 1 })).toBe(false)
  expect(differs({ id: '…', amount: 1 }, { id: 'x', amount: 2 })).toBe(true)
  expect(differs({ id: '…' }, { id: 'x', amount: 1 })).toBe(true)
  expect(differs({ id: 'x', '…': '…' }, { id: 'x', amount: 1 })).toBe(false)
  expect(differs({ url: 'http://…/pay' }, { url: 'http://a/refund' })).toBe(true)
  await inShell(async (shell) => {
    await expect(shell.runRefused('true')).rejects.toThrow('It does not fail')
    await expect(shell.run('echo "$UNSET"')).rejects.toThrow('UNSET: unbound variable')
  })
})
