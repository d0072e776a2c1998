import { expect, test } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import { useWorld } from '../support/use-world.ts'

// The pages for people as a browser requests them: `/`, `/docs` and their files.
const world = useWorld()

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
const read = (path: string, headers: Record<string, string> = {}) => {
  world.clock.advance(1000)
  return world.call('GET', path, { headers: { accept, ...headers } })
}
const filesOf = (text: string) =>
  [...text.matchAll(/(?:href|src)="(\/(?:assets|favicon)[^"]*)"/g)].map(([, path = '']) => path)

test('a browser gets a page at /, a program the error of an unknown path', async () => {
  const page = await read('/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Ready for requests')
  expect(page.text).toContain('No live mode')
  for (const wanted of ['*/*', 'application/json', '']) {
    const { status, body } = await world.call('GET', '/', { headers: { accept: wanted } })
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'There is no such route.'])
  }
})

test('the start page says what is wrong, as /readyz does, and links nothing that is not there', async () => {
  const faults = ['the database cannot be written to: <b>'] as const
  const health = { accepting: true, findFaults: async () => faults }
  const app = buildApp(world.service, { health })
  const { payload } = await app.inject({ url: '/', headers: { accept } })
  expect(payload).toContain('Not ready')
  expect(payload).toContain('the database cannot be written to: &lt;b&gt;')
  const targets = [...payload.matchAll(/<a[^>]* href="(\/[^"#]*)/g)].map(([, path = '']) => path)
  expect(targets).toContain('/docs')
  for (const url of targets) {
    const { statusCode } = await app.inject({ url, headers: { accept } })
    expect(statusCode, url).toBe(200)
  }
  await app.close()
})

test.each(['/', '/docs', '/docs/charges', '/docs/unknown'])(
  '%s may run only its own files',
  async (path) => {
    const { text, headers } = await read(path)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /)
    expect(headers['content-security-policy']).not.toMatch(/unsafe|data:|http/)
    expect(text).not.toMatch(
      /<style|<script(?! (?:type="module" fetchpriority="low" )?src="\/assets)| style="| on[a-z]+="/,
    )
    const files = filesOf(text)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      const found = await read(file)
      expect(found.status, file).toBe(200)
      if (file.startsWith('/assets')) expect(found.headers['cache-control']).toContain('immutable')
    }
  },
)

test('files of another version are served, but not to be kept', async () => {
  const { status, headers } = await read('/assets/older/design/tokens.css')
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  for (const path of ['/assets/x/design/none.css', '/assets/x/..%2f..%2fpackage.json/x']) {
    expect((await read(path)).status).toBe(404)
  }
})

test('an unknown page of the reference is a page', async () => {
  const { status, text } = await read('/docs/unknown', { 'accept-language': 'ja' })
  expect(status).toBe(404)
  expect(text).toContain('ページが見つかりません')
})

test('a page that the browser has is not sent again', async () => {
  const { headers } = await read('/docs/charges')
  const again = await read('/docs/charges', { 'if-none-match': headers.etag ?? '' })
  expect([again.status, again.text]).toEqual([304, ''])
  const japanese = { 'if-none-match': headers.etag ?? '', 'accept-language': 'ja' }
  expect((await read('/docs/charges', japanese)).status).toBe(200)
})

test('language and samples: by the query, then the cookie, then the browser', async () => {
  expect((await read('/docs')).text).toContain('<html lang="en">')
  expect((await read('/docs', { 'accept-language': 'ja-JP' })).text).toContain('<html lang="ja">')
  const chosen = await read('/docs/charges?language=ja&samples=ruby')
  expect(chosen.text).toContain('<html lang="ja">')
  expect(chosen.text).toContain('Net::HTTP')
  expect(String(chosen.headers['set-cookie'])).toMatch(
    /language=ja; Path=\/; .*samples=ruby; Path=\//,
  )
  const later = await read('/docs/charges', { cookie: 'a=b; language=ja; samples=php' })
  expect(later.text).toContain('<html lang="ja">')
  expect(later.text).toContain('curl_init')
  const nonsense = await read('/docs/charges?language=xx&samples=%3Cb%3E', {
    cookie: 'language=zz',
  })
  expect(nonsense.text).toContain('<html lang="en">')
})

test('the reference shows every path of the public description, and its index and forms are data', async () => {
  const { body: description } = await read('/openapi.json')
  const { body: index } = await read('/docs/search.json')
  const { body: operations } = await read('/docs/operations.json')
  const pages = (index.pages as { path: string }[]).map(({ path }) => path)
  const texts: string[] = []
  for (const path of pages) texts.push((await read(path)).text.replaceAll('<wbr>', ''))
  const shown = texts.join('\n')
  for (const path of Object.keys(description.paths)) expect(shown.includes(path), path).toBe(true)
  expect(operations.createCharge).toMatchObject({ method: 'POST', path: '/charges' })
  expect(operations.changePassword).toBeUndefined()
})

test('demo credentials are not given on a database of its own', async () => {
  const headers = { host: 'localhost:8080', origin: 'http://localhost:8080' }
  const { status } = await world.call('POST', '/docs/demo-credentials', { headers })
  expect(status).toBe(404)
})
