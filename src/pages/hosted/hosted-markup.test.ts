import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  end,
  konbini,
  online,
  readingOf,
  shapeOf,
  valuesOf,
  views,
} from '../../../test/support/pages/hosted-views.ts'
import { type HostedView, languages } from './hosted-view.ts'
import { renderHosted } from './render-hosted.ts'

// No data of a shop or a customer becomes markup, and no text of theirs changes the reading order.
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
const chosen = ['kind', 'end', 'match_amount', 'time_zone']
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

const markup_rules: Record<string, (page: string) => boolean> = {
  'no angle bracket between the tags': (page) =>
    !/[<>]/.test(page.replace(/<[a-z/!][^<>]*>/gi, '')),
  'no invisible or bidirectional control character': (page) =>
    !/[\0\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(page),
  'well-formed': (page) => page.isWellFormed(),
  'only addresses of the web': (page) =>
    valuesOf(page, 'href', 'src', 'action').every((address) =>
      /^(\?|\/(?![/\\])|https?:\/\/|mailto:\?subject=)/.test(address),
    ),
}

function expectOursOnly(page: string, shape: string[]): void {
  const found = shapeOf(page)
  // Thousands of pages: only a difference is worth the comparison that describes it.
  if (found.join('\n') !== shape.join('\n')) expect(found).toEqual(shape)
  const broken = Object.entries(markup_rules).filter(([, isStored]) => !isStored(page))
  if (broken.length > 0) expect.fail(`${broken.map(([rule]) => rule).join(', ')}: ${page}`)
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
  expect(page).toContain('<title>Pay with PayPay · &lt;b title=&quot;a&quot;')
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
      expect(valuesOf(page, 'href').at(-1)?.startsWith(start)).toBe(true)
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
