import { base_currency } from '../../../core/money/currencies.ts'
import type { Transacting } from '../../../service.ts'
import { routeCharge } from '../../routing/route-charge.ts'
import type { Token } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'
import { insertChargeAlone } from './insert-charges.ts'
import { newCharge, plain_charge } from './new-charge.ts'

/** A charge of nothing: it only asks the issuer whether the security code is right. */
export async function checkCard(tx: Transacting, token: Token): Promise<Charge> {
  const wanted = {
    type: 'cvv_auth',
    amount: 0,
    currency: token.cvv_authorize.currency ?? base_currency,
    ...plain_charge,
  } as const
  const charge = newCharge(tx, token, wanted, await routeCharge(tx, token, wanted))
  await insertChargeAlone(tx, charge, null)
  return charge
}
