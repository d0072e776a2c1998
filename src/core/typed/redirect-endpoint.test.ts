import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Metadata } from '../text/metadata.ts'
import { readRedirectEndpoint, redirectUrl } from './redirect-endpoint.ts'

// The redirect URL of a customer and its contents. Endpoints come from
// the merchant; metadata may contain anything, including what a customer typed.
const charge_id = '0190a0c4-7d2e-7c3a-9a3b-2f1d5c6e7f80'
const token_id = '0190a0c4-7d2e-7c3a-9a3b-000000000001'
const ids = { svcChargeId: charge_id, svcTokenId: token_id }
const ours = `svcChargeId=${charge_id}&svcTokenId=${token_id}`

const refused = [
  ['a script', 'javascript:alert(1)'],
  ['a script in capitals', 'JaVaScRiPt:alert(1)'],
  ['a script after a space', ' javascript:alert(1)'],
  ['a script with a tab in its name', 'java\tscript:alert(1)'],
  ['a script with a line end in its name', 'java\r\nscript:alert(1)'],
  ['a script that looks like an address', 'javascript://shop.example/%0aalert(1)'],
  ['a script behind a control character', '\u0001javascript:alert(1)'],
  ['a page in the address itself', 'data:text/html,<script>alert(1)</script>'],
  ['the same in base64', 'data:text/html;base64,PHNjcmlwdD4='],
  ['VBScript', 'vbscript:msgbox(1)'],
  ['a blob', 'blob:https://shop.example/0190a0c4-7d2e-7c3a-9a3b-2f1d5c6e7f80'],
  ['a file', 'file:///etc/passwd'],
  ['a source view', 'view-source:https://shop.example/'],
  ['an inner page of a browser', 'about:blank'],
  ['FTP', 'ftp://shop.example/'],
  ['a web socket', 'wss://shop.example/'],
  ['an app', 'myshop://back'],
  ['an intent', 'intent://shop.example/#Intent;scheme=https;end'],
  ['mail', 'mailto:taro@example.com'],
  ['a name before the host', 'https://good.example@evil.example/'],
  ['a name and a password', 'https://user:pass@shop.example/'],
  ['an empty name and a password', 'https://:pass@shop.example/'],
  ['an encoded name', 'https://good.example%2F@evil.example/'],
  ['a name that ends in a backslash', 'https://good.example%5C@evil.example/'],
  ['no scheme', '//shop.example/'],
  ['backslashes alone', '\\\\evil.example\\'],
  ['a path alone', '/back'],
  ['a host alone', 'shop.example/back'],
  ['no host', 'https://'],
  ['nothing but slashes', 'https:///'],
  ['a query for a host', 'https://?x=1'],
  ['nothing', ''],
  ['a space', ' '],
  ['a space in the host', 'https://shop .example/'],
  ['an encoded space in the host', 'https://shop%20.example/'],
  ['an encoded zero in the host', 'https://shop%00.example/'],
  ['angle brackets in the host', 'https://<shop>.example/'],
  ['a port that is none', 'https://shop.example:99999/'],
  ['a port of letters', 'https://shop.example:https/'],
  ['a number too large for a host', 'https://4294967296/'],
  ['a broken IPv6 host', 'https://[::1/'],
  ['a zone in an IPv6 host', 'https://[fe80::1%25eth0]/'],
] as const

test.each(refused)('%s is no address to send a customer to: %j', (_, text) => {
  expect(readRedirectEndpoint(text, 'test')).toBeNull()
  expect(readRedirectEndpoint(text, 'live')).toBeNull()
})

const normalised = [
  ['https://shop.example', 'https://shop.example/'],
  ['HTTPS://SHOP.Example:443/A?B=c#D', 'https://shop.example/A?B=c#D'],
  ['https:shop.example/back', 'https://shop.example/back'],
  ['https:\\\\shop.example\\back', 'https://shop.example/back'],
  ['https:/\\shop.example', 'https://shop.example/'],
  ['https://good.example\\@evil.example/', 'https://good.example/@evil.example/'],
  ['https://shop.example\\.evil.example/', 'https://shop.example/.evil.example/'],
  ['  https://shop.example/\n', 'https://shop.example/'],
  ['https://shop.example/a\r\nSet-Cookie: x=1', 'https://shop.example/aSet-Cookie:%20x=1'],
  ['https://shop.example/?a=1\r\n\r\n<p>', 'https://shop.example/?a=1%3Cp%3E'],
  ['https://shop.example/%0d%0aX: y', 'https://shop.example/%0d%0aX:%20y'],
  ['https://shop.example/#\r\nX: y', 'https://shop.example/#X:%20y'],
  ['https://shop.example/a/../../b/./c', 'https://shop.example/b/c'],
  ['https://shop.example/%2e%2e/b', 'https://shop.example/b'],
  ['https://@shop.example/', 'https://shop.example/'],
  ['https://shop.example/@evil.example', 'https://shop.example/@evil.example'],
  [
    'https://shop.example/?next=https://evil.example',
    'https://shop.example/?next=https://evil.example',
  ],
  ['https://店.example/戻る', 'https://xn--hxt.example/%E6%88%BB%E3%82%8B'],
  ['https://ｓｈｏｐ．example/', 'https://shop.example/'],
  ['https://sho\u200bp.example/', 'https://shop.example/'],
  ['https://sh\u043ep.example/', 'https://xn--shp-ted.example/'],
  ['https://127.1/', 'https://127.0.0.1/'],
  ['https://0x7f.1/', 'https://127.0.0.1/'],
  ['https://2130706433/', 'https://127.0.0.1/'],
  ['https://0177.0.0.1/', 'https://127.0.0.1/'],
  ['https://①②⑦.0.0.1/', 'https://127.0.0.1/'],
  ['https://[::FFFF:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
  ['https://shop.example:8443/back', 'https://shop.example:8443/back'],
  ['https://shop.example/?q=\'"<>', 'https://shop.example/?q=%27%22%3C%3E'],
] as const

test.each(normalised)('%j is stored as it was parsed', (text, stored) => {
  expect(readRedirectEndpoint(text, 'test')).toBe(stored)
  expect(readRedirectEndpoint(text, 'live')).toBe(stored)
})

test('http is for test mode only', () => {
  for (const text of ['http://shop.example/', 'HTTP://shop.example:80', 'http:\\\\shop.example']) {
    expect(readRedirectEndpoint(text, 'test')).toBe('http://shop.example/')
    expect(readRedirectEndpoint(text, 'live')).toBeNull()
  }
})

test('an address that is too long once it is written out is refused', () => {
  const encoded = '%E6%88%BB'
  const fits = (characters: number) =>
    readRedirectEndpoint(`https://shop.example/${'戻'.repeat(characters)}`, 'live')
  expect(fits(800)).toBe(`https://shop.example/${encoded.repeat(800)}`)
  expect(fits(2000)).toBeNull()
})

/** URLs as people write them, valid or not. */
const any_address = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ unit: 'binary' }),
  fc
    .tuple(
      fc.constantFrom(
        'https://',
        'http://',
        'HTTPS:\\\\',
        'https:',
        'javascript:',
        'data:',
        '//',
        '',
      ),
      fc.constantFrom('shop.example', 'user@shop.example', '127.1', '店.example', '[::1]', ''),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    .map((parts) => parts.join('')),
)

test('whatever is accepted is https, names no user, and reads the same everywhere', () => {
  fc.assert(
    fc.property(any_address, (text) => {
      const stored = readRedirectEndpoint(text, 'live')
      if (stored === null) return
      expect(stored).toMatch(/^https:\/\/[^/?#@\\\s]+\/[\x21-\x7e]*$/)
      const url = new URL(stored)
      expect([url.protocol, url.username, url.password]).toEqual(['https:', '', ''])
      expect(readRedirectEndpoint(stored, 'live')).toBe(stored)
      expect(readRedirectEndpoint(text, 'test')).toBe(stored)
    }),
    { numRuns: 2000 },
  )
})

const redirects: [what: string, endpoint: string, metadata: Metadata, query: string][] = [
  ['nothing else', 'https://shop.example/', {}, ours],
  ['an empty query', 'https://shop.example/?', {}, ours],
  ['metadata', 'https://shop.example/', { order: 'A-7', n: 7 }, `order=A-7&n=7&${ours}`],
  [
    'values of every type',
    'https://shop.example/',
    { a: true, b: null, c: 0.5 },
    `a=true&b=null&c=0.5&${ours}`,
  ],
  ['a list', 'https://shop.example/', { a: [1, 'x'] }, `a=%5B1%2C%22x%22%5D&${ours}`],
  ['parameters of the endpoint', 'https://shop.example/?a=1&b=2', { c: 3 }, `a=1&b=2&c=3&${ours}`],
  [
    'a parameter and metadata of one name',
    'https://shop.example/?a=1',
    { a: 2, b: 3 },
    `a=1&b=3&${ours}`,
  ],
  [
    'our name in the metadata',
    'https://shop.example/',
    { svcChargeId: 'evil', a: 1 },
    `a=1&${ours}`,
  ],
  ['both of them', 'https://shop.example/', { svcTokenId: 'evil', svcChargeId: 'x' }, ours],
  ['our name in the endpoint', 'https://shop.example/?svcChargeId=evil&a=1', {}, `a=1&${ours}`],
  ['our name twice', 'https://shop.example/?svcTokenId=a&x=1&svcTokenId=b', {}, `x=1&${ours}`],
  ['our name without a value', 'https://shop.example/?svcChargeId', {}, ours],
  ['our name encoded', 'https://shop.example/?svc%43harge%49d=evil', {}, ours],
  ['our name after ours', `https://shop.example/?${ours}&svcChargeId=evil`, {}, ours],
  [
    'our name after a second question mark',
    'https://shop.example/??svcChargeId=1',
    {},
    `?svcChargeId=1&${ours}`,
  ],
  ['our name as a value', 'https://shop.example/?a=svcChargeId=1', {}, `a=svcChargeId=1&${ours}`],
  [
    'a hidden parameter in a name',
    'https://shop.example/',
    { 'a&svcChargeId': 'evil' },
    `a%26svcChargeId=evil&${ours}`,
  ],
  [
    'a hidden parameter in a value',
    'https://shop.example/',
    { a: '1&svcChargeId=evil' },
    `a=1%26svcChargeId%3Devil&${ours}`,
  ],
  ['a fragment in a value', 'https://shop.example/', { a: 'x#y' }, `a=x%23y&${ours}`],
  ['line ends in a value', 'https://shop.example/', { a: '1\r\nX: y' }, `a=1%0D%0AX%3A+y&${ours}`],
  [
    'letters of all kinds',
    'https://shop.example/',
    { 名: '太郎 é' },
    `%E5%90%8D=%E5%A4%AA%E9%83%8E+%C3%A9&${ours}`,
  ],
  ['an encoded space', 'https://shop.example/?a=b%20c', {}, `a=b%20c&${ours}`],
  [
    'encodings of its own beside our name',
    'https://shop.example/?a=b%20c&d&e=~*%7e&svcTokenId=1&f=%E3',
    {},
    `a=b%20c&d&e=~*%7e&f=%E3&${ours}`,
  ],
  ['empty parts', 'https://shop.example/?&a=1&&b=2&', {}, `&a=1&&b=2&&${ours}`],
  ['a card number', 'https://shop.example/', { a: '4242424242424242', b: 1 }, `b=1&${ours}`],
  ['a card number as a number', 'https://shop.example/', { a: 4_242_424_242_424_242 }, ours],
  [
    'a card number in a sentence',
    'https://shop.example/',
    { a: 'paid with 4242 4242 4242 4242!' },
    ours,
  ],
  ['a card number in a list', 'https://shop.example/', { a: ['x', '4242-4242-4242-4242'] }, ours],
  ['a card number as a name', 'https://shop.example/', { '4242424242424242': 'x' }, ours],
  ['a credential', 'https://shop.example/', { a: 'Bearer abc.def' }, ours],
  ['a JWT', 'https://shop.example/', { a: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' }, ours],
  [
    'a long number that is no card',
    'https://shop.example/',
    { a: '1234567890123456' },
    `a=1234567890123456&${ours}`,
  ],
  [
    'the names of prototypes',
    'https://shop.example/',
    JSON.parse('{"__proto__":"x","constructor":"y"}'),
    `__proto__=x&constructor=y&${ours}`,
  ],
]

test.each(redirects)('a redirect with %s', (_, endpoint, metadata, query) => {
  expect(redirectUrl(endpoint, metadata, ids)).toBe(`https://shop.example/?${query}`)
})

test('the fragment stays where it was: our names stand before it', () => {
  expect(redirectUrl('https://shop.example/a#/b?svcChargeId=c', { d: 1 }, ids)).toBe(
    `https://shop.example/a?d=1&${ours}#/b?svcChargeId=c`,
  )
})

test('the redirect of a token has its id alone, and takes the other name out as well', () => {
  const endpoint = 'https://shop.example/?svcChargeId=evil'
  const url = redirectUrl(endpoint, { svcChargeId: 'evil', a: 1 }, { svcTokenId: token_id })
  expect(url).toBe(`https://shop.example/?a=1&svcTokenId=${token_id}`)
})

test('an address has at most 8000 characters: what does not fit is left out, the ids never', () => {
  const base = `https://shop.example/?${ours}`.length
  for (const endpoint of ['https://shop.example/', 'https://shop.example/?']) {
    const exactly = redirectUrl(endpoint, { a: 'x'.repeat(8000 - base - 3) }, ids)
    expect(exactly).toHaveLength(8000)
    const over = redirectUrl(endpoint, { a: 'x'.repeat(8000 - base - 2), b: 1 }, ids)
    expect(over).toBe(`https://shop.example/?b=1&${ours}`)
  }
  const encoded = redirectUrl('https://shop.example/', { a: '戻'.repeat(1000) }, ids)
  expect(encoded).toBe(`https://shop.example/?${ours}`)
})

const names = fc.oneof(
  fc.constantFrom('svcChargeId', 'svcTokenId', 'svc%43hargeId', 'a', 'a%20b', 'é', '?', ''),
  fc.string({ maxLength: 12 }),
)
const raw_part = fc
  .tuple(names, fc.constantFrom('', '=', '=1', '=%20', '=+', '=a=b', '=%zz', '=é', "='"))
  .map((parts) => parts.join('').replaceAll(/[&#]/g, ''))
const any_endpoint = fc
  .tuple(
    fc.constantFrom(
      'https://shop.example',
      'https://shop.example/back',
      'http://127.0.0.1:8080/x/',
    ),
    fc.array(raw_part, { maxLength: 6 }),
    fc.constantFrom('', '#', '#part', '#/route?svcChargeId=1'),
  )
  .map(([start, parts, end]) => `${start}${parts.length > 0 ? `?${parts.join('&')}` : ''}${end}`)
const any_metadata = fc.dictionary(
  fc.oneof(names, fc.string({ unit: 'binary', minLength: 1, maxLength: 128 })),
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 1000, maxLength: 4000 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  ),
  { maxKeys: 12 },
)

const isOurs = (part: string) =>
  [...new URLSearchParams(`?${part}`).keys()].some((name) => Object.hasOwn(ids, name))

test('our names stand there once and last, whatever the endpoint and the metadata contain', () => {
  fc.assert(
    fc.property(any_endpoint, any_metadata, (text, metadata) => {
      const endpoint = readRedirectEndpoint(text, 'test') ?? ''
      const before = new URL(endpoint)
      const url = new URL(redirectUrl(endpoint, metadata as Metadata, ids))
      expect(url.href.length).toBeLessThanOrEqual(8000)
      expect(url.href).toMatch(/^[\x21-\x7e]+$/)
      expect([url.origin, url.pathname, url.hash]).toEqual([
        before.origin,
        before.pathname,
        before.hash,
      ])
      const pairs = [...url.searchParams]
      expect(pairs.slice(-2)).toEqual(Object.entries(ids))
      expect(pairs.filter(([name]) => Object.hasOwn(ids, name))).toHaveLength(2)
      for (const [name, value] of pairs.slice(0, -2)) {
        const own = before.searchParams.getAll(name)
        const given = Object.entries(metadata).map(([key, one]) => [
          key.toWellFormed(),
          (typeof one === 'string' ? one : JSON.stringify(one)).toWellFormed(),
        ])
        if (own.length > 0) expect(own).toContain(value)
        else expect(given).toContainEqual([name, value])
      }
    }),
    { numRuns: 500 },
  )
})

test('the other parameters of the endpoint are kept byte for byte, and in front', () => {
  fc.assert(
    fc.property(any_endpoint, any_metadata, (text, metadata) => {
      const endpoint = readRedirectEndpoint(text, 'test') ?? ''
      const before = new URL(endpoint).search.slice(1)
      const kept = before.split('&').filter((part) => !isOurs(part))
      const after = new URL(redirectUrl(endpoint, metadata as Metadata, ids)).search.slice(1)
      expect(before === '' || after.startsWith([...kept, ''].join('&'))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
