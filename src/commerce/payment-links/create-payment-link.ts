import Type, { type Static } from 'typebox'
import { requirePlace } from '../../api/resource-limit.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail, failField, readAll } from '../../core/api/errors.ts'
import { Label, nullable } from '../../core/api/schemas.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { Amount, Currency } from '../../payments/charges/charge-input.ts'
import { checkAmount } from '../../payments/charges/create/create-charge.ts'
import { storeRules } from '../../payments/store-rules/store-rules.ts'
import { atTimeOf, inTransaction, newRow, now, type Service } from '../../service.ts'
import type { AmountChoice } from '../../store/tables/commerce/checkout-tables.ts'
import { option_fields, readOptions } from '../checkout/checkout-options.ts'
import type { StoreOwner } from '../checkout/create-checkout-session.ts'
import { getPaymentLink, type LinkPath, type PaymentLink } from './payment-link.ts'

const changeable = {
  name: described(Label(), 'The description that customers read on the page.'),
  max_uses: described(
    Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }))),
    'The maximum number of payments. Default: no limit.',
  ),
  active: described(
    Type.Optional(nullable(Type.Boolean())),
    'Whether it can be paid at. Default: true.',
  ),
  expires_on: described(
    Type.Optional(nullable(Type.String({ format: 'instant' }))),
    'The last time at which customers can start to pay. Default: no limit.',
  ),
}

export const CreatePaymentLink = named(
  'CreatePaymentLink',
  Type.Object({
    ...changeable,
    amount: described(
      Type.Optional(nullable(Amount)),
      'The amount, in the smallest unit of the currency. Send either this or ' + '`amount_choice`.',
    ),
    amount_choice: described(
      Type.Optional(
        nullable(
          named(
            'CreateAmountChoice',
            Type.Object({
              min: described(Amount, 'The least that a customer can pay.'),
              max: described(Amount, 'The most that a customer can pay.'),
              suggested: described(
                Type.Optional(nullable(Amount)),
                'The amount that the page suggests.',
              ),
            }),
            'Between which amounts customers choose.',
          ),
        ),
      ),
      'Lets customers choose the amount.',
    ),
    currency: described(Currency, 'The currency, as an ISO-4217 code in any case.'),
    ...option_fields,
  }),
  'A new payment link.',
)
export type CreatePaymentLink = Static<typeof CreatePaymentLink>

export const PatchPaymentLink = named(
  'UpdatePaymentLink',
  Type.Object({ ...changeable, name: Type.Optional(changeable.name) }),
  'Changes to a payment link. Its items and amount cannot change.',
)
export type PatchPaymentLink = Static<typeof PatchPaymentLink>

export async function createPaymentLink(
  service: Service,
  caller: StoreOwner,
  body: CreatePaymentLink,
): Promise<PaymentLink> {
  const { merchant_id, store_id, mode } = caller
  const rules = await storeRules(service, merchant_id, store_id)
  const currency = body.currency.toUpperCase()
  const [amount_choice, expires_on] = readAll(
    () => readChoice(body),
    () => readExpiry(service, body.expires_on),
  )
  const amounts = amount_choice ? [amount_choice.min, amount_choice.max] : [body.amount ?? 0]
  for (const amount of amounts) checkAmount(amount, currency, rules)
  const priced = { amounts, currency, expires_on: null }
  const options = await readOptions(service, caller, body, rules, priced)
  return inTransaction(service, async (tx) => {
    await requirePlace(tx, 'payment_links', { merchant_id, store_id })
    const { id, created_on } = newRow(tx)
    return tx.db
      .insertInto('payment_links')
      .values({
        merchant_id,
        id,
        store_id,
        mode,
        page_id: newUnguessableId(),
        name: body.name,
        amount: body.amount ?? null,
        amount_choice: amount_choice && JSON.stringify(amount_choice),
        currency,
        options: JSON.stringify(options),
        max_uses: body.max_uses ?? null,
        active: body.active ?? true,
        expires_on,
        created_on,
        updated_on: created_on,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** A fixed amount, or bounds for it. */
function readChoice({ amount, amount_choice }: CreatePaymentLink): AmountChoice | null {
  if (!amount && !amount_choice)
    failField('amount', 'REQUIRED_VALUE', 'or amount_choice is required')
  if (!amount_choice) return null
  if (amount) failField('amount_choice', 'FORBIDDEN_PARAMETER', 'must not be sent with amount')
  const { min, max, suggested = null } = amount_choice
  if (min > max) failField('amount_choice.max', 'NUMBER_MIN', 'must be at least min')
  if (suggested !== null && (suggested < min || suggested > max)) {
    failField('amount_choice.suggested', 'INVALID_AMOUNT', 'must lie between min and max')
  }
  return { min, max, suggested }
}

function readExpiry(service: Service, given: string | null | undefined): Date | null {
  const expires_on = given ? readInstant(given) : null
  if (expires_on && expires_on <= now(service)) {
    failField('expires_on', 'EXPIRATION_DATE_OUT_OF_BOUNDS', 'must lie ahead')
  }
  return expires_on
}

/** Payments that are under way keep their use, whatever changes. */
export async function patchPaymentLink(
  service: Service,
  caller: Pick<StoreOwner, 'merchant_id'> & { mode: StoreOwner['mode'] | null },
  path: LinkPath,
  patch: PatchPaymentLink,
): Promise<PaymentLink> {
  return inTransaction(service, async (base) => {
    const before = await getPaymentLink(base, caller, path)
    const tx = atTimeOf(base, before)
    // The store is locked before its links, as when one is created.
    if (patch.active && !before.active) await requirePlace(tx, 'payment_links', before)
    const { name, active, max_uses, expires_on } = patch
    const changed = await tx.db
      .updateTable('payment_links')
      .set({
        updated_on: now(tx),
        ...(name === undefined ? {} : { name }),
        ...(active === undefined || active === null ? {} : { active }),
        ...(max_uses === undefined ? {} : { max_uses }),
        ...(expires_on === undefined ? {} : { expires_on: readExpiry(tx, expires_on) }),
      })
      .where('merchant_id', '=', before.merchant_id)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirst()
    return changed ?? fail('NOT_FOUND')
  })
}
