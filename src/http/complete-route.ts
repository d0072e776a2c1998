import type { RouteOptions } from 'fastify'
import { objectOf } from '../core/read-unknown.ts'
import { notingWork } from './admission/admission.ts'
import { kindOfRoute } from './admission/admission-rules.ts'
import { idempotent, isIdempotent } from './body/idempotency.ts'
import { knownFields } from './body/known-fields.ts'
import { isCompressible } from './reply/compress-json.ts'
import { ErrorBody } from './reply/error-handler.ts'

const error_responses = { '4xx': ErrorBody, '5xx': ErrorBody }

/** The implicit parts of every route: error responses, idempotency, admission. */
export function completeRoute(route: RouteOptions): void {
  const { schema, config = {} } = route
  const compresses = config.compresses ?? isCompressible(schema)
  route.config = { ...config, admit_as: kindOfRoute(route), compresses }
  if (schema && !schema.hide) {
    schema.response = { ...objectOf(schema.response), ...error_responses }
    if (schema.body) schema.body = withoutDefaults(schema.body)
    if (schema.querystring) schema.querystring = withoutDefaults(schema.querystring)
  }
  if (isIdempotent(route)) route.handler = idempotent(route.handler)
  if (schema && !schema.hide) route.config.readKnownFields = knownFields(schema)
  route.handler = notingWork(route.handler)
}

type ObjectSchema = { required?: string[]; properties?: Record<string, object> }

/** A field with a default is optional in the request, although the handler always gets it. */
function withoutDefaults(part: unknown): unknown {
  const schema: ObjectSchema = objectOf(part)
  if (!schema.required || !schema.properties) return part
  const { properties } = schema
  const required = schema.required.filter((name) => !('default' in (properties[name] ?? {})))
  return { ...schema, required }
}
