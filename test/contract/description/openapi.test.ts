import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastJsonStringify from 'fast-json-stringify'
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { buildApp } from '../../../src/http/app.ts'
import { validatorCompiler } from '../../../src/http/body/validation.ts'
import { describeApi } from '../../../src/http/describe-api.ts'
import { describeErrors } from '../../../src/http/description/describe-errors.ts'
import { useWorld } from '../../support/use-world.ts'

const world = useWorld()

test('the descriptions in the repository are those that the service serves; if not: npm run generate', async () => {
  const described = await describeApi()
  const files = [
    ['openapi.json', described.api],
    ['console-openapi.json', described.console],
  ] as const
  for (const [name, text] of files) {
    const file = fileURLToPath(new URL(`../../../${name}`, import.meta.url))
    expect(readFileSync(file, 'utf8') === text, name).toBe(true)
    const served = await world.call('GET', `/${name}`)
    expect(served.status).toBe(200)
    expect(served.body).toEqual(JSON.parse(text))
    expect(served.body.openapi).toBe('3.1.0')
  }
})

test('every operation is described once: for programs, or for the console', () => {
  const idsOf = (part?: 'api' | 'console') =>
    Object.values(world.app.describeRoutes(part).paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
  expect([...idsOf('api'), ...idsOf('console')].sort()).toEqual(idsOf().sort())
  expect(idsOf('console')).toContain('createDemoShop')
  expect(idsOf('api')).toContain('createCharge')
})

test('docs/errors.md is generated from the tables of errors; if not: npm run generate', () => {
  const errors_file = fileURLToPath(new URL('../../../docs/errors.md', import.meta.url))
  expect(readFileSync(errors_file, 'utf8')).toBe(describeErrors())
})

test('every route has schemas for its request and its responses', async () => {
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(world.service, { health })
  const wrong: string[] = []
  app.addHook('onRoute', ({ url, method, schema, config }: RouteOptions) => {
    if (config?.refuses || schema?.hide || method === 'HEAD') return
    const { response, params, body } = schema ?? {}
    const has_success = Object.keys(response ?? {}).some((status) => /^2\d\d$/.test(status))
    if (!has_success) wrong.push(`${method} ${url} has no answer`)
    if (url.includes(':') && !params) wrong.push(`${method} ${url} has no path schema`)
    if (['POST', 'PATCH'].includes(String(method)) && !body)
      wrong.push(`${method} ${url} has no body`)
  })
  await app.ready()
  await app.close()
  expect(wrong).toEqual([])
})

test('every schema can be compiled: a route does that at its first call', async () => {
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(world.service, { health })
  const compiled: string[] = []
  app.addHook('onRoute', ({ url, method, schema = {} }: RouteOptions) => {
    for (const httpPart of ['body', 'querystring', 'params', 'headers'] as const) {
      if (schema[httpPart]) validatorCompiler({ schema: schema[httpPart], httpPart })({})
    }
    for (const one of Object.values(schema.response ?? {})) {
      if (!('content' in one)) fastJsonStringify(one)
    }
    compiled.push(`${method} ${url}`)
  })
  await app.ready()
  await app.close()
  expect(compiled).toContain('POST /charges')
})
