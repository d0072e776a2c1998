import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'rolldown'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { good_card } from '../../support/payments.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { newStrictShop, type StrictShop } from '../pages/strict-shop.ts'

// The samples of card fields as a shop uses them: with plain markup, with React and with Vue.
let here: BrowserWorld
let shop: StrictShop
const root = fileURLToPath(new URL('../../..', import.meta.url))
const samples = `${root}examples/card-fields`

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = await newStrictShop(here)
})
afterEach(() => expect(here.troubles.splice(0)).toEqual([]))
afterAll(() => here.close())

const starts = {
  react: `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { CardForm } from '${samples}/card-form.jsx'
const onToken = (id) => { document.querySelector('output').textContent = id }
createRoot(document.querySelector('#app')).render(createElement(CardForm, { ...options, onToken }))`,
  vue: `import { createApp, h } from 'vue'
import { CardForm } from '${samples}/card-form.mjs'
const onToken = (id) => { document.querySelector('output').textContent = id }
createApp({ render: () => h(CardForm, { ...options, onToken }) }).mount('#app')`,
}

/** One script of a program that a shop would build with its own tools. */
async function bundle(start: string): Promise<string> {
  const { output } = await build({
    input: 'start',
    write: false,
    platform: 'browser',
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        options: JSON.stringify({ base_url: here.url, app_token: shop.merchant.jwt }),
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
    resolve: {
      alias: {
        'kaikei-client/checkout': `${root}client/src/checkout.ts`,
        vue: `${root}node_modules/vue/dist/vue.esm-bundler.js`,
      },
    },
    plugins: [
      {
        name: 'start',
        resolveId: (id) => (id === 'start' ? `${root}start.mjs` : null),
        load: (id) => (id === `${root}start.mjs` ? start : null),
      },
    ],
  })
  return output[0].code
}

/** A customer fills the form in, and the page gets the id of a token. */
async function saveCard(html: string): Promise<void> {
  here.shop.responses.set('/form', { html })
  const page = await here.visitor()
  await page.goto(`${here.shop.url}/form`)
  await page.getByLabel('Email').fill('taro@example.com')
  const card = { card_number: `${good_card.slice(0, -1)}1`, expiry: '12 / 30', cvv: '123' }
  for (const [name, text] of Object.entries({ ...card, cardholder: 'TARO YAMADA' })) {
    await fieldOf(page, name).fill(text)
  }
  const save = page.getByRole('button', { name: 'Save card' })
  await save.click()
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('card number')
  await fieldOf(page, 'card_number').fill(good_card)
  await save.click()
  await expect.poll(() => page.locator('output').innerText()).toMatch(/^[\da-f-]{36}$/)
  await page.context().close()
}

const fieldOf = (page: Page, name: string) =>
  page.frameLocator(`iframe[src*="/${name}?"]`).locator('input')

test('plain HTML', async () => {
  const sample = readFileSync(`${samples}/plain.html`, 'utf8')
  await saveCard(
    sample.replaceAll('https://pay.example', here.url).replace('JWT', shop.merchant.jwt),
  )
})

test.each(['react', 'vue'] as const)('%s', async (name) => {
  const script = (await bundle(starts[name])).replaceAll('</script', '<\\/script')
  await saveCard(`<div id="app"></div><output></output><script type="module">${script}</script>`)
})
