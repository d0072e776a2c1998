import type { FastifyRequest } from 'fastify'
import { fail } from '../core/errors.ts'
import { convertCurrency } from '../core/money/exchange-rates.ts'
import { rightFor } from '../resources/users/user-rights.ts'

/** What is done before the handler of a call by a user runs. */
export async function beginUserCall(request: FastifyRequest): Promise<void> {
  await requireConfirmation(request)
}

/**
 * In the console some calls need a user who has shown a code or the password within the last minutes: a
 * screen that was left open is not enough.
 */
async function requireConfirmation(request: FastifyRequest): Promise<void> {
  const { caller, method, routeOptions } = request
  const { confirm } = rightFor(method, routeOptions.url ?? '')
  if (caller.user?.via !== 'cookie' || confirm === null) return
  const { confirmed_until } = caller.user
  const { wall_clock } = request.service
  if (confirmed_until && confirmed_until.getTime() > wall_clock.now()) return
  if (confirm === 'amount' && (await isWithinLimit(request))) return
  fail('CONFIRMATION_REQUIRED')
}

interface Money {
  amount: number
  currency: string
}

/** By the dated table of exchange rates; an amount that it cannot convert is above the limit. */
async function isWithinLimit(request: FastifyRequest): Promise<boolean> {
  const money = moneyOf(request) ?? (await chargedMoney(request))
  // Without such a charge the call changes nothing.
  if (!money) return true
  const yen = convertCurrency(money.amount, money.currency, 'JPY')
  return yen !== null && yen <= request.service.config.console_confirm_amount
}

function moneyOf({ body }: FastifyRequest): Money | null {
  const { amount, currency } = (body ?? {}) as Partial<Money>
  return amount === undefined || currency === undefined ? null : { amount, currency }
}

/** A cancel, or a capture without an amount, is about the whole charge. */
async function chargedMoney({ service, caller, params }: FastifyRequest): Promise<Money | null> {
  const { charge_id = '' } = params as Record<string, string>
  const found = await service.db
    .selectFrom('charges')
    .select(['requested_amount as amount', 'requested_currency as currency'])
    .where('merchant_id', '=', caller.merchant_id)
    .where('id', '=', charge_id)
    .executeTakeFirst()
  return found ?? null
}
