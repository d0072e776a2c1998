import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { StoreConfiguration } from '../../src/accounts/configuration/configuration-shape.ts'
import { connector_kinds } from '../../src/connectors/connectors.ts'
import { without_effect } from '../../src/core/api/setting-values.ts'
import { test_scenarios } from '../../src/simulator/test-scenarios.ts'
import { setting_words_ja } from '../../web/console/screens/connectors/setting-words.ts'
import { scenarioInJapanese } from '../../web/console/screens/developers/scenarios/scenario-words.ts'
import { store_settings } from '../../web/console/screens/settings/store-settings.ts'

const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

test('the console says every scenario of test mode in Japanese', () => {
  const untold = test_scenarios.filter((scenario) => {
    const { group, lever, effect } = scenarioInJapanese(scenario)
    return ![group, lever, effect].every((text) => japanese.test(text))
  })
  expect(untold).toEqual([])
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
