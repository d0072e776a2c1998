import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printJson } from '../../../src/core/text/formats/print-json.ts'
import { runExamples } from '../../support/data/example-scenario.ts'
import { newReceiver, type Receiver } from '../../support/receiver/receiver.ts'
import { useWorld } from '../../support/use-world.ts'

const file = fileURLToPath(new URL('../../../src/http/description/examples.json', import.meta.url))

const description = new URL('../../../openapi.json', import.meta.url)

interface Described {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; summary: string; description?: string }>
  >
}

const world = useWorld()
let receiver: Receiver

beforeAll(async () => {
  receiver = await newReceiver()
})
afterAll(async () => {
  await receiver.close()
})

/** Replaces what is secret or random: two runs give the same text. */
function withoutChance(text: string): string {
  const ids = new Map<string, string>()
  const nameId = (id: string) => {
    const name = ids.get(id) ?? `019bbef4-9a60-7000-8000-${String(ids.size + 1).padStart(12, '0')}`
    ids.set(id, name)
    return name
  }
  return text
    .replaceAll(receiver.url, 'https://shop.example/webhook')
    .replaceAll('http://127.0.0.1:9/', 'https://tea.example/')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, nameId)
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<JWT>')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_<SECRET>')
    .replaceAll(/"secret":"\w{27}"/g, '"secret":"<SECRET>"')
    .replaceAll(/\/(pay|pay\/link|checkout)\/[\w-]{43}/g, '/$1/<PAGE>')
    .replaceAll(/sdk_[0-9a-f]{32}/g, 'sdk_<TOKEN>')
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":12')
    .replaceAll(
      /"(payment_code|confirmation_code|barcode|branch_code|\w*account_number)":"\d+"/g,
      withPlainDigits,
    )
}

/** The simulators choose these numbers. */
function withPlainDigits(field: string): string {
  let digit = 0
  return field.replaceAll(/\d/g, () => String(++digit % 10))
}

/** Their bodies are the providers' own. */
const without_example = ['receiveNotification', 'receiveMerchantNotification']

test('every public operation has an example, and a description that says more than its summary', () => {
  const { paths } = JSON.parse(readFileSync(description, 'utf8')) as Described
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  expect(operations.length).toBeGreaterThan(200)
  const recorded = JSON.parse(readFileSync(file, 'utf8'))
  const names = operations.map(({ operationId }) => operationId)
  expect(names.filter((name) => !recorded[name])).toEqual(without_example)
  const words = (text = '') => new Set(text.toLowerCase().match(/[a-z_]+/g))
  const poor = operations.filter(({ summary, description: text }) => {
    const known = words(summary)
    return [...words(text)].filter((word) => !known.has(word)).length < 4
  })
  expect(poor.map(({ operationId }) => operationId)).toEqual([])
})

test('the examples are what the service returns; if not: npm run generate -- examples', async () => {
  const examples = await runExamples(world, receiver)
  const text = withoutChance(JSON.stringify(examples))
  await expect(`${printJson(JSON.parse(text))}\n`).toMatchFileSnapshot(file)
})
