import Type from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { ChargeErrorView, ShownPhone, ShownText as text } from '../pieces/shown-pieces.ts'

const whole = Type.Integer()

/** The card data of a token in responses; never more than the BIN and the last four digits of the number. */
export const card_shown = {
  card: described(
    named(
      'Card',
      Type.Object({
        cardholder: described(Type.String(), 'The name on the card.'),
        exp_month: described(whole, 'The month in which the card expires.'),
        exp_year: described(whole, 'The year in which the card expires.'),
        card_bin: described(
          Type.String(),
          'The first digits of the number, which identify the issuer.',
        ),
        last_four: described(Type.String(), 'The last four digits of the number.'),
        brand: described(Type.String(), 'The card network.'),
        card_type: described(
          text,
          '`credit`, `debit` or `charge_card`; null where it is not known.',
        ),
        country: described(text, 'The country of the issuer; null where it is not known.'),
        category: described(text, 'The product of the issuer; null where it is not known.'),
        issuer: described(text, 'The name of the issuer; null where it is not known.'),
        sub_brand: described(Type.String(), 'A brand within the card network; `none` without one.'),
      }),
      'The public fields of a card.',
    ),
    'The card.',
  ),
  billing: described(
    named(
      'Billing',
      Type.Object({
        line1: described(text, 'The first line of the billing address; null if not given.'),
        line2: described(text, 'The second line of the billing address; null if not given.'),
        state: described(text, 'The state or prefecture; null if not given.'),
        city: described(text, 'The city; null if not given.'),
        country: described(
          text,
          'The country, as an ISO-3166 code of two letters; null if not given.',
        ),
        zip: described(text, 'The postal code; null if not given.'),
        phone_number: described(
          nullable(ShownPhone),
          'The phone number of the customer; null if not given.',
        ),
      }),
      'The billing address of a card.',
    ),
    'The billing address.',
  ),
  cvv_authorize: described(
    named(
      'CvvAuthorization',
      Type.Object({
        enabled: described(
          Type.Boolean(),
          'Whether the security code is checked before the first charge.',
        ),
        status: described(
          text,
          'The result: `pending`, `current` when it is right, or `failed`; null without a check.',
        ),
        currency: described(text, 'The currency of the check; null without one.'),
        charge_id: described(
          nullable(Id),
          'The charge that did the check; null if there was none.',
        ),
        credentials_id: described(nullable(Id), 'Always null.'),
      }),
      'The check of the security code when a token is created.',
    ),
    'The check of the security code when the token is created.',
  ),
  cvv_authorize_check: described(
    named(
      'CvvAuthorizationCheck',
      Type.Object({
        status: described(
          text,
          'The result: `pending`, `current` when it is right, or `failed`; null without a check.',
        ),
        charge_id: described(
          nullable(Id),
          'The charge that did the check; null if there was none.',
        ),
        date: described(text, 'The time of the call; null if there was none.'),
      }),
      'The latest check of a security code that was sent later.',
    ),
    'The latest check of a security code that was sent later.',
  ),
  three_ds: described(
    named(
      'TokenThreeDs',
      Type.Object({
        enabled: described(
          Type.Boolean(),
          'Whether the token is authenticated, or being authenticated.',
        ),
        status: described(
          text,
          '`pending`, `awaiting` the cardholder, `successful`, `failed` or `error`; null ' +
            'if not enabled.',
        ),
        redirect_endpoint: described(
          text,
          "The cardholder's destination after a challenge; null if not given.",
        ),
        redirect_id: described(nullable(Id), 'The id of the redirection; null if not enabled.'),
        error: ChargeErrorView,
        exempted: described(Type.Boolean(), 'Whether the authentication was waived: always false.'),
      }),
      'The authentication of a token with 3-D Secure.',
    ),
    'The authentication of the token with 3-D Secure.',
  ),
}
