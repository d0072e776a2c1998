import { fail } from '../../../core/api/errors.ts'
import type { Notified, RawNotification } from '../../../providers/provider.ts'
import { readSettings } from '../acquirer-settings.ts'
import { max_notified, NotificationBody, validatorOf } from '../api/acquirer-responses.ts'
import { isSigned } from './sign-message.ts'

/** The address that is signed is the same whichever merchant's was called, and before any proxy. */
function callbackPath(name: string): string {
  return `/callbacks/${name}`
}

/** Verifies a notification with the keys of its merchant or installation. */
export function readNotification(
  name: string,
  { body, headers, now_ms, credentials }: RawNotification,
): readonly Notified[] | null {
  const address = readSettings(credentials?.reveal())
  if (typeof address === 'string') return null
  const signed = { method: 'POST', path: callbackPath(name), body } as const
  if (!isSigned(address.keys, signed, headers, now_ms)) return null
  const message = `The body must be {"payments": […]} with 1 to ${max_notified} items, each with
    provider_reference, or with merchant_id and charge_id.`.replaceAll(/\s+/g, ' ')
  let said: unknown
  try {
    said = JSON.parse(body.toString())
  } catch {
    fail('VALIDATION_ERROR', { message })
  }
  if (!validatorOf(NotificationBody).Check(said)) fail('VALIDATION_ERROR', { message })
  return (said as { payments: WireNotified[] }).payments.map((one) =>
    'provider_reference' in one
      ? one
      : { merchant_id: one.merchant_id, resource_type: 'charge', resource_id: one.charge_id },
  )
}

type WireNotified =
  | { readonly provider_reference: string }
  | { readonly merchant_id: string; readonly charge_id: string }
