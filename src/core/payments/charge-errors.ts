import { maskCardNumbers } from '../cards/find-card-numbers.ts'

/** A provider's error for a payment that was withdrawn before the customer acted. */
export const withdrawn_code = 345

/**
 * Why a charge, refund, cancel or declaration failed: the integer of its `error.code` and the text of
 * its `error.message`. 3xx are refusals, 5xx are technical failures, 6xx are customs.
 */
export const charge_errors = {
  301: 'The card number is not valid.',
  302: 'The expiry month of the card is not valid.',
  303: 'The expiry year of the card is not valid.',
  304: 'The card has expired.',
  305: 'The security code of the card is not valid.',
  306: 'The issuer of the card declined the charge.',
  307: 'The card is not valid.',
  308: 'The data of the charge is not valid, or it was not approved.',
  309: 'The charge could not be processed.',
  310: 'The data of the customer is not valid.',
  311: 'The card was charged too often in a short time.',
  312: 'The charge cannot be canceled.',
  313: 'The authorization expired before it was captured.',
  314: 'The card was reported lost or stolen.',
  315: 'The customer must contact the bank.',
  316: 'The last name of the customer is required.',
  317: 'Partial capture is not supported.',
  318: 'Partial refund is not supported.',
  319: 'Fraud is suspected.',
  320: 'The system of the bank failed.',
  321: 'A dynamic descriptor is not supported.',
  322: 'The payment code is not valid.',
  323: 'The payment code has expired.',
  324: 'The payment code was already used.',
  325: 'The payment code is in use.',
  326: 'The charge was rejected because of its high risk.',
  327: 'The confirmation period has expired.',
  328: 'The charge could not be reverted.',
  329: 'The refund failed.',
  330: 'The funds of the customer are insufficient.',
  331: 'The value of a metadata field is not valid.',
  332: 'A cross-border payment needs an identity number.',
  333: 'A cross-border payment needs a phone number.',
  334: 'The payment method cannot be used for a cross-border payment.',
  335: 'A cross-border payment needs a name.',
  336: 'The limit of the payment method is exceeded.',
  337: 'The limit of the merchant is exceeded.',
  338: 'The transaction was not found.',
  339: 'The transaction is a duplicate.',
  340: 'The wallet rejected the charge.',
  341: 'The information about the merchant is insufficient.',
  342: 'The currency cannot be used for a cross-border payment.',
  343: 'The server of the gateway failed.',
  344: 'The payment method is temporarily unavailable.',
  345: 'The payment was already canceled.',
  346: 'Too many payments are pending.',
  351: 'The transaction is disputed.',
  355: 'The payment type or division is not supported.',
  356: 'The card is not enrolled in 3-D Secure.',
  358: 'The customer did not complete 3-D Secure.',
  359: '3-D Secure failed at the issuer of the card.',
  363: 'The identity verification is incomplete.',
  500: 'There was an error before the charge was processed.',
  501: 'There was an internal error.',
  502: 'The gateway did not answer in time.',
  503: 'The gateway is unavailable.',
  504: 'No gateway is available for this payment.',
  601: 'The customs declaration failed.',
  602: 'The customs declaration failed.',
  603: 'The customs declaration failed.',
  604: 'The customs declaration failed.',
} as const satisfies Record<number, string>

/** The message of a code; an unknown code of a provider gets one too. */
export function chargeErrorMessage(code: number): string {
  const messages: Readonly<Record<number, string>> = charge_errors
  return messages[code] ?? 'There was a processing error.'
}

/** Why a charge, a refund or a cancel ended without success. */
export interface ChargeError {
  code: number
  message: string
  detail: string | null
}

/**
 * The detail may be a provider's text, which is stored and sent in events, so it must not contain a
 * card number.
 */
export function chargeError(code: number, detail: string | null = null): ChargeError {
  const shown = detail && maskCardNumbers(detail, '[card]')
  return { code, message: chargeErrorMessage(code), detail: shown }
}

/** Whether a code is a technical failure; any other is a refusal. */
export function isTechnical(code: number): boolean {
  return code >= 500 && code < 600
}

/** The result of an operation that its provider refused. */
export function failureOf({ code, detail }: { code: number; detail: string | null }): {
  action: 'reject' | 'fail_technically'
  error: ChargeError
} {
  return {
    action: isTechnical(code) ? 'fail_technically' : 'reject',
    error: chargeError(code, detail),
  }
}
