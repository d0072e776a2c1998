import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hosted_texts } from './hosted-texts.ts'
import {
  type BankTransferView,
  type EndView,
  type HostedView,
  type KonbiniView,
  languages,
  type OnlineView,
  type QrView,
  type ThreeDsView,
} from './hosted-view.ts'
import { hosted_style_hash, renderHosted } from './render-hosted.ts'

// Pages are tested here as text: their content, and that no data of a shop or a customer becomes
// markup. Their look, and what a browser does with them, is tested in the browser.
const common = {
  store_name: 'Tea House',
  test_mode: true,
  money: { amount: 1000, currency: 'JPY' },
}
const acting = { action: '/pay/abc', expires_on: new Date('2026-11-22T14:59:59Z') }

const online: OnlineView = { kind: 'online', ...common, ...acting, brand: 'pay_pay_online' }
const qr: QrView = {
  kind: 'qr',
  ...common,
  brand: 'pay_pay_merchant',
  image_path: '/codes/abc.svg',
  wallet_path: '/wallets/abc',
  expires_on: acting.expires_on,
}
const konbini: KonbiniView = {
  kind: 'konbini',
  ...common,
  ...acting,
  convenience_store: 'family_mart',
  customer_name: '山田 花子',
  payment_code: '12345678901',
  barcode: '919084123456',
}
const bank_transfer: BankTransferView = {
  kind: 'bank_transfer',
  ...common,
  ...acting,
  bank_name: 'あおぞら銀行',
  bank_code: '0398',
  branch_name: 'フリージア支店',
  branch_code: '512',
  account_number: '1234567',
  account_holder_name: 'チャヤ',
  match_amount: 'exact',
  received: 0,
}
const three_ds: ThreeDsView = {
  kind: 'three_ds',
  ...common,
  ...acting,
  card_brand: 'american_express',
  last_four: '0005',
}
const end: EndView = {
  kind: 'end',
  ...common,
  end: 'paid',
  return_url: 'https://shop.example/back',
}
const views: HostedView[] = [
  online,
  qr,
  konbini,
  bank_transfer,
  three_ds,
  end,
  { kind: 'nobody' },
  { kind: 'trouble' },
]
const ends = Object.keys(hosted_texts.en.end) as EndView['end'][]

interface Tag {
  readonly name: string
  readonly attributes: [name: string, value: string][]
}

/** The tags of a document as a browser finds them: after each < that a letter, / or ! follows. */
function tagsOf(page: string): Tag[] {
  const tags = [...page.matchAll(/<([a-z/!?][^\s>/]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi)]
  return tags.map(([, name = '', inside = '']) => ({
    name: name.toLowerCase(),
    attributes: [...inside.matchAll(/([^\s="'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?/g)].map(
      ([, attribute = '', value = '']) => [attribute.toLowerCase(), value.replace(/^"|"$/g, '')],
    ),
  }))
}

/** Tags with the names of their attributes: the structure that no text may change. */
function shapeOf(page: string): string[] {
  return tagsOf(page).map(({ name, attributes }) =>
    [name, ...attributes.map(([attribute]) => attribute)].join(' '),
  )
}

/** The words of a page as a person reads them. */
function readingOf(page: string): string {
  const body = page.slice(page.indexOf('<body>')).replace(/<[^>]*>/g, '')
  return unescaped(body).replace(/\u00a0/g, ' ')
}

function unescaped(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}

function valuesOf(page: string, attribute: string): string[] {
  const all = tagsOf(page).flatMap(({ attributes }) => attributes)
  return all.filter(([name]) => name === attribute).map(([, value]) => unescaped(value))
}

describe.each(languages)('in %s', (language) => {
  const texts = hosted_texts[language]
  const render = (view: HostedView) => renderHosted(view, language)
  const read = (view: HostedView) => readingOf(render(view))

  test.each(views)('$kind is a whole document with one heading and one style', (view) => {
    const page = render(view)
    expect(page).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${language}">`))
    for (const once of ['<h1>', '<main', '<title>', '<style>', 'name="viewport"']) {
      expect(page.split(once), once).toHaveLength(2)
    }
    expect(page).not.toMatch(/<script|<link|<base|<iframe|\sstyle=|\son\w+=|https?:\/\/(?!shop)/i)
    const [, style = ''] = page.match(/<style>([\s\S]*?)<\/style>/) ?? []
    expect(createHash('sha256').update(style).digest('base64')).toBe(hosted_style_hash)
    expect(readingOf(page)).not.toMatch(/undefined|null|NaN|\[object/)
  })

  test.each(views)('$kind says that it is a test, in test mode only', (view) => {
    const banner = texts.test_banner.sentence
    const knows_mode = 'test_mode' in view
    expect(read(view).includes(banner)).toBe(knows_mode)
    if (knows_mode) expect(read({ ...view, test_mode: false })).not.toContain(banner)
  })

  test('an online payment is paid, declined or left', () => {
    const page = render(online)
    const reading = readingOf(page)
    const amount = language === 'en' ? '¥1,000' : '1,000円'
    for (const word of ['Pay Pay Online', 'Tea House', amount, texts.online.pay(amount)]) {
      expect(reading).toContain(word)
    }
    expect(page).toContain('<form method="post" action="/pay/abc">')
    expect(valuesOf(page, 'value')).toEqual(['successful', 'failed', 'abandoned'])
    expect(read({ ...online, money: null })).toContain(texts.online.pay_nothing)
  })

  test('the time is that of Tokyo, and says so', () => {
    for (const view of [online, qr, konbini, bank_transfer, three_ds]) {
      const reading = read(view)
      const day = language === 'en' ? 'November 22, 2026' : '2026年11月22日'
      const zone = language === 'en' ? 'Japan Standard Time' : '日本標準時'
      for (const word of [day, '23:59', zone]) expect(reading, view.kind).toContain(word)
      expect(valuesOf(render(view), 'datetime')).toEqual(['2026-11-22T14:59:59.000Z'])
    }
  })

  test('a code is shown to be scanned, and the page can be loaded again', () => {
    const page = render(qr)
    expect(valuesOf(page, 'src')).toEqual(['/codes/abc.svg'])
    expect(valuesOf(page, 'alt')).toEqual([texts.qr.image('Pay Pay Merchant')])
    expect(valuesOf(page, 'href')).toEqual(['', '/wallets/abc'])
    expect(valuesOf(render({ ...qr, wallet_path: null }), 'href')).toEqual([''])
  })

  test('a convenience store gets a code to read and bars to scan', () => {
    const page = render(konbini)
    const reading = readingOf(page)
    for (const word of ['Family Mart', '山田 花子', '12345678901', texts.konbini.payment_code]) {
      expect(reading).toContain(word)
    }
    expect(page).toContain('<span>1234</span><wbr><span>5678</span><wbr><span>901</span>')
    // Start, six pairs, check symbol and stop are 101 modules; ten on each side stay empty.
    expect(page).toContain('viewBox="0 0 121 100"')
    expect(page).toContain(' d="M10 0h2v100h-2z')
    expect(page.match(/<li>/g)).toHaveLength(4)
    expect(valuesOf(page, 'value')).toEqual(['successful'])
    expect(render({ ...konbini, test_mode: false })).not.toContain('<form')
  })

  test('a payment method without a store counter has nothing to scan', () => {
    const page = render({ ...konbini, convenience_store: 'pay_easy' })
    expect(page).toContain(`>${texts.konbini.test_pay.machine}</button>`)
    expect(page).not.toContain('<svg')
    expect(readingOf(page)).toContain(texts.konbini.steps.machine[0]('Pay Easy'))
  })

  test('a bank transfer names the account and what may be sent', () => {
    for (const match_amount of ['exact', 'minimum', 'maximum', 'disabled'] as const) {
      const reading = read({ ...bank_transfer, match_amount })
      const amount = language === 'en' ? '¥1,000' : '1,000円'
      expect(reading).toContain(texts.bank_transfer.rule[match_amount](amount))
      for (const word of [
        'あおぞら銀行',
        '0398',
        'フリージア支店',
        '512',
        '普通',
        '1234567',
        'チャヤ',
      ]) {
        expect(reading).toContain(word)
      }
      expect(reading).not.toContain(texts.bank_transfer.received)
    }
  })

  test('a bank transfer in parts shows what has arrived and what is missing', () => {
    const page = render({ ...bank_transfer, received: 400 })
    const [received, missing] = language === 'en' ? ['¥400', '¥600'] : ['400円', '600円']
    expect(readingOf(page)).toContain(`${texts.bank_transfer.received}${received}`)
    expect(readingOf(page)).toContain(`${texts.bank_transfer.missing}${missing}`)
    expect(valuesOf(page, 'value')).toEqual(['600'])
    expect(valuesOf(page, 'name').slice(-2)).toEqual(['amount', 'name'])
    expect(read({ ...bank_transfer, received: 1200 })).not.toContain(texts.bank_transfer.missing)
    expect(render({ ...bank_transfer, test_mode: false })).not.toContain('<form')
  })

  test('the bank of a card asks about a payment or about the card', () => {
    const page = render(three_ds)
    expect(readingOf(page)).toContain(
      texts.three_ds.card_ending('American Express', '0005').replace('\u00a0', ' '),
    )
    expect(readingOf(page)).toContain('Tea House')
    expect(valuesOf(page, 'value')).toEqual(['successful', 'failed', 'abandoned'])
    const reading = read({ ...three_ds, money: null })
    expect(reading).toContain(texts.three_ds.question.no_money('Tea House'))
    expect(reading).not.toContain(texts.amount)
  })

  test.each(ends)('the end "%s" says what happened and leads back', (kind) => {
    const page = render({ ...end, end: kind })
    expect(page).toContain(`<h1>${texts.end[kind].heading}</h1>`)
    expect(readingOf(page)).toContain(texts.back('Tea House'))
    expect(valuesOf(page, 'href')).toEqual(['https://shop.example/back'])
    expect(render({ ...end, end: kind, return_url: null })).not.toContain('<a ')
    expect(read({ ...end, end: kind, money: null })).not.toMatch(/1,000/)
  })

  test('an unknown page reveals nothing', () => {
    expect(read({ kind: 'nobody' }).trim()).toBe(texts.nobody)
  })

  test('every sentence is in the language, and says what it was given', () => {
    for (const sentence of sentencesOf(texts)) {
      const has_japanese = /[\u3040-\u30ff\u4e00-\u9fff]/.test(sentence.replace('普通', ''))
      expect(has_japanese || sentence === '普通' || sentence === 'X（Y）', sentence).toBe(
        language === 'ja',
      )
    }
  })
})

function sentencesOf(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts]
  if (typeof texts === 'function') return [String(texts('X', 'Y'))]
  return Object.values(texts ?? {}).flatMap(sentencesOf)
}

test.each([
  [{ amount: 1000, currency: 'JPY' }, '¥1,000', '1,000円'],
  [{ amount: 123456, currency: 'USD' }, '$1,234.56', '1,234.56米ドル'],
  [{ amount: 5, currency: 'USD' }, '$0.05', '0.05米ドル'],
  // Intl follows everyday use without decimals here; the standard, and so our amounts, have them.
  [{ amount: 100050, currency: 'HUF' }, 'HUF 1,000.50', '1,000.50ハンガリー フォリント'],
  [{ amount: 1000500, currency: 'KWD' }, 'KWD 1,000.500', '1,000.500クウェート ディナール'],
])('%j is written %s and %s', (money, english, japanese) => {
  expect(readingOf(renderHosted({ ...online, money }, 'en'))).toContain(english)
  expect(readingOf(renderHosted({ ...online, money }, 'ja'))).toContain(japanese)
})

const payloads = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example></sCrIpT>',
  '"><script>alert(1)</script>',
  "'><img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  '` onclick=alert(1) `',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)//',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '//evil.example/',
  '/\\evil.example/',
  '</title><script>alert(1)</script>',
  '</style><style>*{display:none}</style>',
  '</textarea></main></body></html><h1>evil</h1>',
  '<!--', // would swallow the rest of the page
  '--><script>alert(1)</script><!--',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '&#x3c;img src=x onerror=alert(1)&#x3e;',
  '#{alert(1)} {{constructor.constructor("alert(1)")()}} <%= 1 %>',
  '<scr\0ipt>alert(1)</scr\0ipt>',
  '\0"\0>\0<b>',
  'line\u2028separator\u2029<b>',
  '\u202egnp.exe<b>\u2066',
  '\ud800<b>\udfff',
  '<base href="//evil.example/">',
  '<meta http-equiv="refresh" content="0;url=//evil.example">',
  '<form action="//evil.example"><button formaction="//evil.example">',
  '＜script＞alert(1)＜/script＞',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
]

/** Fields that are one of a few values chosen by the program. */
const chosen = ['kind', 'end', 'match_amount']
const paths = ['action', 'image_path', 'wallet_path']

const fields = views.flatMap((view) =>
  Object.entries(view)
    .filter(([name, value]) => typeof value === 'string' && !chosen.includes(name))
    .map(([field]) => ({
      field,
      kind: view.kind,
      fill: (text: string) => ({ ...view, [field]: text }) as HostedView,
    })),
)
const own = fields.filter(({ field }) => paths.includes(field))
const free = fields.filter(({ field }) => ![...paths, 'barcode', 'return_url'].includes(field))

function expectOursOnly(page: string, shape: string[]): void {
  expect(shapeOf(page)).toEqual(shape)
  // Between the tags there is no angle bracket, and no invisible or bidirectional control character.
  const between = page.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<[a-z/!][^<>]*>/gi, '')
  expect(between).not.toMatch(/[<>]/)
  expect(page).not.toMatch(/[\0\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
  expect(page.isWellFormed()).toBe(true)
  for (const address of [
    ...valuesOf(page, 'href'),
    ...valuesOf(page, 'src'),
    ...valuesOf(page, 'action'),
  ]) {
    expect(address).toMatch(/^($|\/(?![/\\])|https?:\/\/)/)
  }
}

test.each(free)('$field of $kind is text, whatever it says', ({ fill }) => {
  for (const language of languages) {
    const shape = shapeOf(renderHosted(fill('harmless'), language))
    for (const payload of payloads) expectOursOnly(renderHosted(fill(payload), language), shape)
  }
})

test.each(free)('$field of $kind is text, whatever chance makes of it', ({ fill }) => {
  const shape = shapeOf(renderHosted(fill('harmless'), 'en'))
  const pieces = [...'<>"\'&/=; \0\n\u2028\u202e\ud800-!x`', 'script', 'onload', '&#60;']
  const text = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 40 })
  fc.assert(fc.property(text, (any) => expectOursOnly(renderHosted(fill(any), 'en'), shape)))
})

test.each(own)('$field of $kind is a path of ours and one value', ({ fill }) => {
  const shape = shapeOf(renderHosted(fill('/x'), 'en'))
  for (const payload of payloads) {
    expect(() => renderHosted(fill(payload), 'en'), payload).toThrow('not a path of ours')
    expectOursOnly(renderHosted(fill(`/x${payload}`), 'en'), shape)
  }
})

test('a bar code is made of digits', () => {
  for (const barcode of payloads) {
    expect(() => renderHosted({ ...konbini, barcode }, 'en')).toThrow(RangeError)
  }
})

test('the texts of a page that were meant as markup can be read on it', () => {
  const store_name = `<b title="a" class='b'>Tea &amp; Co</b>`
  const page = renderHosted({ ...online, store_name }, 'en')
  expect(readingOf(page)).toContain(store_name)
  expect(page).toContain('<title>Pay with Pay Pay Online · &lt;b title=&quot;a&quot;')
})

test('the way back is an address of the web, or there is none', () => {
  const none = shapeOf(renderHosted({ ...end, return_url: null }, 'en'))
  const some = shapeOf(renderHosted(end, 'en'))
  const bad = ['', '/back', 'shop.example', 'https:shop.example', 'http://', 'ftp://shop.example']
  for (const return_url of [...payloads, ...bad]) {
    expectOursOnly(renderHosted({ ...end, return_url }, 'en'), none)
    expectOursOnly(renderHosted({ ...end, return_url, leaving: true }, 'en'), none)
  }
  for (const payload of payloads) {
    for (const start of ['https://shop.example/?', 'http://localhost:3000/']) {
      const page = renderHosted({ ...end, return_url: `${start}${payload}` }, 'en')
      expectOursOnly(page, some)
      expect(valuesOf(page, 'href')[0]?.startsWith(start)).toBe(true)
    }
  }
})

test('a customer who leaves is redirected to that URL by the browser itself', () => {
  expect(renderHosted(end, 'en')).not.toContain('http-equiv')
  const page = renderHosted({ ...end, leaving: true }, 'en')
  expect(page).toContain('<meta http-equiv="refresh" content="0;url=https://shop.example/back">')
})

test('money is in a currency that exists', () => {
  for (const currency of payloads) {
    expect(() => renderHosted({ ...online, money: { amount: 1, currency } }, 'en')).toThrow()
  }
})
