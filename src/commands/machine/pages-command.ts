import { randomBytes } from 'node:crypto'
import { type IncomingHttpHeaders, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { PlainError } from '../../core/api/plain-error.ts'
import { second_ms } from '../../core/time/clock.ts'
import { security_headers, strict_transport } from '../../http/reply/security-headers.ts'
import { page_headers } from '../../pages/hosted/hosted-routes.ts'
import { type Language, languages } from '../../pages/hosted/hosted-view.ts'
import { renderHosted } from '../../pages/hosted/render-hosted.ts'
import type { Run } from '../command-table.ts'
import { configuredAddress } from '../line/service-address.ts'

/** Checks whether customers get the pages of this release; exits with 1 when they do not. */
export const checkPages: Run<'pages check'> = async ({ config, terminal }, [given]) => {
  const address = given ?? configuredAddress(config)
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new PlainError(`${address} is not an http or https address.`)
  }
  const base_url = address.replace(/\/+$/, '')
  const differences = new Set<string>()
  for (const language of languages) {
    for (const difference of await compare(base_url, language)) differences.add(difference)
  }
  for (const difference of differences) terminal.write(`DIFFERS  ${difference}\n`)
  if (differences.size > 0) return 1
  terminal.write(`The pages of ${base_url} match this release.\n`)
  return 0
}

/** The page of an unknown payment is always available and contains everything but a customer's own data. */
async function compare(base_url: string, language: Language): Promise<string[]> {
  const url = new URL(`${base_url}/pay/${randomBytes(32).toString('base64url')}`)
  const { status, headers, text } = await read(url, language)
  return [
    ...(status === 404 ? [] : [`status: ${status} instead of 404`]),
    ...headerDifferences(headers, url.protocol === 'https:'),
    ...textDifferences(text, renderHosted({ kind: 'nobody' }, language)),
  ]
}

/** Content that can load something into a page or send something out of it, and is never ours. */
const foreign_headers = [
  'content-security-policy-report-only',
  'link',
  'nel',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'set-cookie',
  'sourcemap',
] as const

function headerDifferences(found: IncomingHttpHeaders, is_https: boolean): string[] {
  const wanted = { ...security_headers, ...page_headers, ...(is_https ? strict_transport : {}) }
  const lines = Object.entries(wanted).flatMap(([name, value]) => {
    const served = found[name] === undefined ? '' : String(found[name])
    // A compressing proxy adds its own value beside ours.
    const same = name === 'vary' ? served.toLowerCase().includes(value) : served === value
    const shown = served === '' ? 'nothing' : short(served)
    return same ? [] : [`header ${name}: ${shown} instead of ${short(value)}`]
  })
  const foreign = foreign_headers.filter((name) => found[name] !== undefined)
  return [
    ...lines,
    ...foreign.map((name) => `header ${name}: ${short(String(found[name]))} instead of nothing`),
  ]
}

/** The lines between the common beginning and the common end. */
function textDifferences(served: string, wanted: string): string[] {
  const [ours, theirs] = [wanted.split('\n'), served.split('\n')]
  while (ours.length > 0 && ours[0] === theirs[0]) {
    ours.shift()
    theirs.shift()
  }
  while (ours.length > 0 && ours.at(-1) === theirs.at(-1)) {
    ours.pop()
    theirs.pop()
  }
  return [
    ...theirs.map((line) => `page: ${short(line)} is not of this release`),
    ...ours.map((line) => `page: ${short(line)} is missing`),
  ]
}

const longest_shown = 160

function short(text: string): string {
  const visible = JSON.stringify(text)
  return visible.length > longest_shown ? `${visible.slice(0, longest_shown)}…` : visible
}

const timeout_ms = 10 * second_ms
const longest_page = 1_000_000

interface Served {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Follows no redirect: the address itself must return the page. */
function read(url: URL, language: Language): Promise<Served> {
  const request = url.protocol === 'https:' ? overHttps : overHttp
  const headers = {
    accept: 'text/html',
    'accept-language': language,
    'accept-encoding': 'identity',
  }
  return new Promise<Served>((resolve, reject) => {
    const asked = request(url, { headers, timeout: timeout_ms }, (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > longest_page) asked.destroy(new Error('the page is too long'))
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: found } = response
        resolve({ status, headers: found, text: Buffer.concat(chunks).toString() })
      })
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer came in time')))
    asked.on('error', reject)
    asked.end()
  }).catch((error: NodeJS.ErrnoException) => {
    throw new PlainError(`${url.origin} does not answer: ${error.message || error.code}.`)
  })
}
