import { objectOf } from '../../../core/read-unknown.ts'
import type { Rendering, SampleLanguage } from '../rendering.ts'
import { exampleId } from './build-example.ts'
import { type Api, type ApiOperation, itemOf } from './read-api.ts'
import { isIdempotent } from './try-data.ts'
import { notations, writeLiteral } from './write-literal.ts'

/** A call with everything that a sample needs to write it. */
interface Call {
  readonly method: string
  /** With the ids of the examples. */
  readonly path: string
  readonly url: string
  readonly body: unknown
  readonly has_body: boolean
  readonly needs_token: boolean
  readonly is_idempotent: boolean
  readonly is_list: boolean
  readonly has_result: boolean
  /** Null: the client does not have it. */
  readonly client_name: string | null
}

const writers: Readonly<Record<SampleLanguage, (call: Call, operation: ApiOperation) => string>> = {
  curl: writeCurl,
  javascript: writeJavascript,
  php: writePhp,
  python: writePython,
  ruby: writeRuby,
}

/** The operation as a program calls it. */
export function writeSample(
  { api, base_url, samples }: Pick<Rendering, 'api' | 'base_url' | 'samples'>,
  operation: ApiOperation,
  body: unknown,
): string {
  return writers[samples](callOf(api, operation, base_url, body), operation)
}

function callOf(api: Api, operation: ApiOperation, base_url: string, body: unknown): Call {
  const { method, parameters, success } = operation
  const values = new Map(parameters.map((one) => [one.name, exampleOf(one)]))
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => values.get(name) ?? exampleId(name),
  )
  const required = parameters.filter((one) => one.in === 'query' && one.required)
  const query = required.map(({ name }) => `${name}=${encodeURIComponent(values.get(name) ?? '')}`)
  const has_fields = Object.keys(objectOf(body)).length > 0
  const { level } = operation.operation['x-access'] ?? {}
  return {
    method,
    path,
    url: base_url + path + (query.length > 0 ? `?${query.join('&')}` : ''),
    body,
    has_body: has_fields,
    needs_token: level !== 'public',
    is_idempotent: isIdempotent(operation),
    is_list: itemOf(success.content?.schema, api.description.components.schemas) !== null,
    has_result: success.content !== null,
    client_name: api.clientName(operation.id),
  }
}

function exampleOf({ name, example, schema }: ApiOperation['parameters'][number]): string {
  const known = example ?? schema?.examples?.[0] ?? schema?.enum?.[0]
  return known === undefined ? exampleId(name) : String(known)
}

/** A text between single quotes of a shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function writeCurl({ method, url, body, has_body, needs_token, is_idempotent }: Call): string {
  const is_default = method === 'GET' || (method === 'POST' && has_body)
  return [
    `curl ${is_default ? '' : `-X ${method} `}${url.includes('?') ? shellQuoted(url) : url}`,
    ...(needs_token ? ['-H "Authorization: Bearer $SECRET.$JWT"'] : []),
    ...(is_idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(has_body
      ? [
          '-H "Content-Type: application/json"',
          `-d ${shellQuoted(writeLiteral(body, notations.json, '  '))}`,
        ]
      : []),
  ].join(' \\\n  ')
}

/** Ids in front, then the fields. Calls that the client does not have are made with `fetch`. */
function writeJavascript(call: Call, operation: ApiOperation): string {
  if (call.client_name === null) return writeFetch(call)
  const own_path = operation.path.replace(/^\/stores\/\{store_id\}(?=\/)/, '')
  const ids = [...own_path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const fields = call.has_body ? [writeLiteral(call.body, notations.javascript)] : []
  const call_text = `kaikei.${call.client_name}(${[...ids, ...fields].join(', ')})`
  const result = `${call.has_result ? 'const result = ' : ''}await ${call_text}`
  return `import { Kaikei } from 'kaikei-client'

const kaikei = new Kaikei({
  base_url: '${new URL(call.url).origin}',
  secret: process.env.SECRET,
  jwt: process.env.JWT,
})

${ids.map((name) => `const ${name} = '${exampleId(name)}'\n`).join('')}${
  call.is_list ? `for await (const item of ${call_text}) console.log(item)` : result
}`
}

function writeFetch({ method, url, body, has_body, needs_token }: Call): string {
  const token = "headers: { authorization: 'Bearer ' + process.env.SECRET + '.' + process.env.JWT }"
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(needs_token ? [token] : []),
    ...(has_body
      ? [`body: JSON.stringify(${writeLiteral(body, notations.javascript, '  ')})`]
      : []),
  ]
  const given = options.length > 0 ? `, {\n${options.map((one) => `  ${one},\n`).join('')}}` : ''
  return `const response = await fetch('${url}'${given})\nconsole.log(await response.json())`
}

function writePhp(call: Call): string {
  const { method, url, body, has_body, needs_token, is_idempotent, has_result } = call
  const headers = [
    ...(needs_token ? [`'Authorization: Bearer ' . getenv('SECRET') . '.' . getenv('JWT')`] : []),
    ...(has_body ? [`'Content-Type: application/json'`] : []),
    ...(is_idempotent ? [`'Idempotency-Key: ' . bin2hex(random_bytes(16))`] : []),
  ]
  const options = [
    'CURLOPT_RETURNTRANSFER => true',
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    ...(headers.length > 0
      ? [`CURLOPT_HTTPHEADER => [\n${headers.map((one) => `    ${one},\n`).join('')}  ]`]
      : []),
    ...(has_body
      ? [`CURLOPT_POSTFIELDS => json_encode(${writeLiteral(body, notations.php, '  ')})`]
      : []),
  ]
  return `<?php
$request = curl_init('${url}');
curl_setopt_array($request, [
${options.map((one) => `  ${one},\n`).join('')}]);
${has_result ? '$result = json_decode(curl_exec($request), true);' : 'curl_exec($request);'}`
}

function writePython(call: Call): string {
  const { method, url, body, has_body, needs_token, is_idempotent, has_result } = call
  const headers = [
    ...(needs_token
      ? [`"Authorization": f"Bearer {os.environ['SECRET']}.{os.environ['JWT']}"`]
      : []),
    ...(has_body ? ['"Content-Type": "application/json"'] : []),
    ...(is_idempotent ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
  ]
  const given = [
    `"${url}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length > 0
      ? [`headers={\n${headers.map((one) => `    ${one},\n`).join('')}  }`]
      : []),
    ...(has_body
      ? [`data=json.dumps(${writeLiteral(body, notations.python, '  ')}).encode()`]
      : []),
  ]
  const uses_json = has_body || has_result
  const modules = [
    ...(uses_json ? ['json'] : []),
    ...(needs_token ? ['os'] : []),
    ...(is_idempotent ? ['uuid'] : []),
  ]
  const imports = modules.length > 0 ? `import ${modules.join(', ')}\n` : ''
  return `${imports}from urllib.request import Request, urlopen

request = Request(
${given.map((one) => `  ${one},\n`).join('')})
${has_result ? 'with urlopen(request) as response:\n  result = json.load(response)' : 'urlopen(request)'}`
}

function writeRuby(call: Call): string {
  const { method, url, body, has_body, needs_token, is_idempotent, has_result } = call
  const headers = [
    ...(needs_token ? [`'Authorization' => "Bearer #{ENV['SECRET']}.#{ENV['JWT']}"`] : []),
    ...(has_body ? [`'Content-Type' => 'application/json'`] : []),
    ...(is_idempotent ? [`'Idempotency-Key' => SecureRandom.uuid`] : []),
  ]
  const is_secure = url.startsWith('https:')
  const sent = has_body ? `${writeLiteral(body, notations.ruby)}.to_json` : 'nil'
  return `require 'json'
require 'net/http'${is_idempotent ? "\nrequire 'securerandom'" : ''}

uri = URI('${url}')
headers = {${headers.length > 0 ? `\n${headers.map((one) => `  ${one},\n`).join('')}` : ''}}
body = ${sent}
response = Net::HTTP.start(uri.host, uri.port${is_secure ? ', use_ssl: true' : ''}) do |http|
  http.send_request('${method}', uri.request_uri, body, headers)
end${has_result ? '\nresult = JSON.parse(response.body)' : ''}`
}
