import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { AnyObject } from '../../core/api/schemas.ts'
import { gateway_policy } from '../../core/limits/retry-policies.ts'
import { recordOf } from '../../core/read-unknown.ts'
import { paymentName } from '../../methods/payment-names.ts'
import type { CheckoutQuestion } from '../../providers/provider.ts'
import type { Service } from '../../service.ts'

const Brand = named(
  'GatewayBrand',
  Type.Object({
    brand: described(Type.String({ maxLength: 64 }), 'The key of the brand in this API.'),
    service_brand_name: described(
      Type.String({ maxLength: 64 }),
      'The key of the brand at the gateway.',
    ),
    brand_display_name: described(
      Type.String({ maxLength: 128 }),
      'The name of the brand, for display.',
    ),
    extras: described(
      AnyObject,
      'Additions of the gateway, such as logos and promotions. They may change without ' +
        'notice.',
    ),
  }),
  'A brand of a gateway.',
)

export const DynamicInformation = named(
  'GatewayInfo',
  Type.Object({
    service: described(Type.String(), 'The key of the gateway.'),
    service_name: described(Type.String(), 'The name of the gateway, for display.'),
    brands: described(Type.Array(Brand), 'The brands that it offers for the payment.'),
  }),
  'The offers of a gateway for a payment.',
)
type DynamicInformation = Static<typeof DynamicInformation>

const response_limits = { brands: 100, extras_bytes: 16_384, depth: 6 }

/**
 * The offers of the gateway. Its response comes from outside and may change at any time: brands without the
 * known form are left out, and the rest is passed on as bounded data. It is never shown on a page of ours.
 */
export async function askGateway(
  service: Service,
  gateway: string,
  question: CheckoutQuestion,
): Promise<DynamicInformation> {
  const response = await responseInTime(service, gateway, question)
  const { brands } = asObject(response)
  const known = Array.isArray(brands) ? brands.slice(0, response_limits.brands).map(readBrand) : []
  return {
    service: gateway,
    service_name: paymentName(gateway, 'en'),
    brands: known.filter((brand) => brand !== null),
  }
}

async function responseInTime(
  service: Service,
  gateway: string,
  question: CheckoutQuestion,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const end = () => reject(new Error('The gateway did not answer in time.'))
    timer = setTimeout(end, gateway_policy.timeout_ms)
  })
  try {
    return await Promise.race([service.providers.checkoutInfo(gateway, question), late])
  } catch (error) {
    service.log.warn({ err: error, gateway }, 'a gateway did not answer')
    return fail('SERVICE_UNAVAILABLE', {
      message: 'The gateway does not answer.',
      retry_after_s: 5,
    })
  } finally {
    clearTimeout(timer)
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return recordOf(value)
}

function readBrand(given: unknown): Static<typeof Brand> | null {
  const { brand, service_brand_name, brand_display_name, extras } = asObject(given)
  const safe_extras = isSmall(extras) ? extras : {}
  const read = { brand, service_brand_name, brand_display_name, extras: safe_extras }
  return Value.Check(Brand, read) ? read : null
}

/** A plain object that is neither large nor deep. */
function isSmall(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (depthOf(value, response_limits.depth) > response_limits.depth) return false
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= response_limits.extras_bytes
  } catch {
    return false
  }
}

/** Stops counting past `max_depth`, so that no depth can exhaust the stack. */
function depthOf(value: unknown, max_depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (max_depth < 0) return 1
  let deepest = 0
  for (const inner of Object.values(value))
    deepest = Math.max(deepest, depthOf(inner, max_depth - 1))
  return deepest + 1
}
