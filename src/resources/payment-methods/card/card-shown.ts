import Type from 'typebox'
import { named } from '../../../core/described-schemas.ts'
import { Id, nullable } from '../../../core/schemas.ts'
import { ChargeErrorView, ShownPhone, ShownText as text } from '../shown-pieces.ts'

const whole = Type.Integer()

/** What a token shows of its card; never more than the BIN and the last four digits of the number. */
export const card_shown = {
  card: named(
    'Card',
    Type.Object({
      cardholder: Type.String(),
      exp_month: whole,
      exp_year: whole,
      card_bin: Type.String(),
      last_four: Type.String(),
      brand: Type.String(),
      card_type: text,
      country: text,
      category: text,
      issuer: text,
      sub_brand: Type.String(),
    }),
  ),
  billing: named(
    'Billing',
    Type.Object({
      line1: text,
      line2: text,
      state: text,
      city: text,
      country: text,
      zip: text,
      phone_number: nullable(ShownPhone),
    }),
  ),
  cvv_authorize: named(
    'CvvAuthorization',
    Type.Object({
      enabled: Type.Boolean(),
      status: text,
      currency: text,
      charge_id: nullable(Id),
      credentials_id: nullable(Id),
    }),
  ),
  cvv_authorize_check: named(
    'CvvAuthorizationCheck',
    Type.Object({ status: text, charge_id: nullable(Id), date: text }),
  ),
  three_ds: named(
    'TokenThreeDs',
    Type.Object({
      enabled: Type.Boolean(),
      status: text,
      redirect_endpoint: text,
      redirect_id: nullable(Id),
      error: ChargeErrorView,
      exempted: Type.Boolean(),
    }),
  ),
}
