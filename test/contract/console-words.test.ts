import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { StoreConfiguration } from '../../src/accounts/configuration/configuration-shape.ts'
import { connector_kinds } from '../../src/connectors/connectors.ts'
import { without_effect } from '../../src/core/api/setting-values.ts'
import { data_rules } from '../../src/doctor/data-findings.ts'
import { test_scenarios } from '../../src/simulator/test-scenarios.ts'
import { setting_words_ja } from '../../web/console/screens/connectors/setting-words.ts'
import { scenarioInJapanese } from '../../web/console/screens/developers/scenarios/scenario-words.ts'
import { checkInJapanese, idsOfFault } from '../../web/console/screens/operator/doctor-words.ts'
import { store_settings } from '../../web/console/screens/settings/store-settings.ts'
import { operationText } from '../../web/console/words/operation-words.ts'

const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

test('the console says every scenario of test mode in Japanese', () => {
  const untold = test_scenarios.filter((scenario) => {
    const { group, trigger, effect } = scenarioInJapanese(scenario)
    return ![group, trigger, effect].every((text) => japanese.test(text))
  })
  expect(untold).toEqual([])
})

test('the Japanese text of a scenario has every value of the English one', () => {
  const valuesOf = (text: string) => (text.match(/`[^`]*`|\d{2,}/g) ?? []).toSorted()
  for (const scenario of test_scenarios) {
    const { trigger, effect } = scenarioInJapanese(scenario)
    expect([trigger, valuesOf(trigger)]).toEqual([trigger, valuesOf(scenario.trigger)])
    expect([effect, valuesOf(effect)]).toEqual([effect, valuesOf(scenario.effect)])
  }
})

test('every scenario of test mode has an identifier of its own', () => {
  const ids = test_scenarios.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

interface Shape {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
}

/** Settings of another screen: appearance of checkout. */
const elsewhere = /^(logo_url|checkout_configuration)(\.|$)/

/** Every setting that has an effect, with its kind. */
function settingsIn(shape: Shape, above = ''): [path: string, kind: string][] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, given]) => {
    const path = above ? `${above}.${name}` : name
    const { type = [], description: text = '' } = given
    if (elsewhere.test(path) || text.includes(without_effect)) return []
    if (type === 'object') return settingsIn(given, path)
    const is_fixed = /The operator sets|always the case/.test(text)
    return [[path, type.includes('boolean') && !is_fixed ? 'switch' : 'shown']]
  })
}

test('the console has words for every setting of a store that has an effect', () => {
  const shown = Object.assign({}, ...Object.values(store_settings))
  expect(shown).toEqual(Object.fromEntries(settingsIn(StoreConfiguration as Shape)))
})

test('the console asks for every setting of a connector in Japanese', () => {
  const { names: known, hints } = setting_words_ja
  // Other tests of this process may have added one.
  const kinds = connector_kinds.filter(({ kind }) => kind !== 'book')
  const names = kinds.flatMap(({ settings }) => Object.keys(settings.properties))
  expect(names.filter((name) => !known[name] || !hints[name])).toEqual([])
})

/** Terms with one Japanese word in the console, and what stands for them elsewhere. */
const one_word: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/お客/, '顧客'],
  [/サインイン|サインアウト/, 'ログイン, ログアウト'],
  [/決済リンク/, '支払いリンク'],
  [/(?<!お)支払い?方法/, '決済方法'],
  [/勝ち|負け|御社/, 'words of the table of Japanese terms'],
  [/[\u3040-\u30ff\u3400-\u9fff] ?\(|\) ?[\u3040-\u30ff\u3400-\u9fff]/, '（ ）'],
]

test('the Japanese console has one word for one thing', () => {
  const names = readdirSync('web/console', { recursive: true, encoding: 'utf8' })
  const found = names.flatMap((path) => {
    if (!/\.tsx?$/.test(path)) return []
    const texts = readFileSync(`web/console/${path}`, 'utf8').match(/'[^'\n]*'|`[^`]*`/g) ?? []
    return texts
      .filter((text) => japanese.test(text) && !text.includes('${') && !text.includes('$1'))
      .flatMap((text) =>
        one_word.filter(([wrong]) => wrong.test(text)).map(([, right]) => [path, text, right]),
      )
  })
  expect(found).toEqual([])
})

test('the console says every check of the data in Japanese, with its advice', () => {
  const untold = data_rules.filter(({ check }) => {
    const words = checkInJapanese(check)
    return !words || !japanese.test(words.title) || !japanese.test(words.advice)
  })
  expect(untold.map(({ check }) => check)).toEqual([])
  const id = '019bc41a-94b8-7270-80dc-7307c7356606'
  expect(idsOfFault(`{"merchant_id":"${id}","id":"${id}"} breaks this rule.`)).toEqual([id])
})

test('every operation of the API has words in both languages', () => {
  type Api = { paths: Record<string, Record<string, { operationId?: string }>> }
  const names = ['openapi.json', 'console-openapi.json'].flatMap((file) => {
    const { paths }: Api = JSON.parse(readFileSync(file, 'utf8'))
    return Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    )
  })
  expect(names.length).toBeGreaterThan(200)
  const untold = [...names, 'useConsoleLink'].filter(
    (name) => operationText(name, 'ja') === name || operationText(name, 'en') === name,
  )
  expect(untold).toEqual([])
  expect(operationText('createRefund', 'ja')).toBe('返金を作成')
  expect(operationText('listStoreSubscriptionPayments', 'en')).toBe(
    'List store subscription payment',
  )
})
