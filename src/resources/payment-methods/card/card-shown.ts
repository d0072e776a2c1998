import Type from 'typebox'
import { Id, nullable } from '../../../core/schemas.ts'
import { ChargeErrorView, ShownPhone, ShownText as text } from '../shown-pieces.ts'

const whole = Type.Integer()

/** What a token shows of its card; never more than the BIN and the last four digits of the number. */
export const card_shown = {
  card: Type.Object({
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
  billing: Type.Object({
    line1: text,
    line2: text,
    state: text,
    city: text,
    country: text,
    zip: text,
    phone_number: nullable(ShownPhone),
  }),
  cvv_authorize: Type.Object({
    enabled: Type.Boolean(),
    status: text,
    currency: text,
    charge_id: nullable(Id),
    credentials_id: nullable(Id),
  }),
  cvv_authorize_check: Type.Object({ status: text, charge_id: nullable(Id), date: text }),
  three_ds: Type.Object({
    enabled: Type.Boolean(),
    status: text,
    redirect_endpoint: text,
    redirect_id: nullable(Id),
    error: ChargeErrorView,
    exempted: Type.Boolean(),
  }),
}
