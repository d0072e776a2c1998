import type { Caller } from '../../../core/access/caller.ts'
import { fail } from '../../../core/api/errors.ts'
import type { ReadPayment } from '../../../methods/contract/payment-method.ts'
import { methodOf } from '../../../methods/method-table.ts'
import type { Service } from '../../../service.ts'
import type { StoreRules } from '../../store-rules/store-rules.ts'
import type { CreateToken } from './token-input.ts'

/** The payment details, if they are valid and the store takes them. */
export function readPayment(
  service: Service,
  caller: Caller,
  body: CreateToken,
  rules: StoreRules,
): ReadPayment {
  const { payment_type, data, ip_address = null } = body
  const method = methodOf(payment_type)
  if (!rules.takes[payment_type]) fail(method.disabled)
  method.admit?.(caller, rules)
  const read = method.read(data, { service, ip_address, rules, mode: caller.mode })
  method.accept?.(read, caller, rules)
  return read
}

/** Refuses details that no store takes, without looking at one. */
export function checkDetails(service: Service, body: CreateToken): void {
  const { payment_type, data, ip_address = null } = body
  methodOf(payment_type).read(data, { service, ip_address, rules: null, mode: null })
}
