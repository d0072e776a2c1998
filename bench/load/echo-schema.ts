/** The request and response of the bare servers. */
export const echo_schema = {
  type: 'object',
  required: ['transaction_token_id', 'amount', 'currency'],
  properties: {
    transaction_token_id: { type: 'string', pattern: '^[0-9a-f-]{36}$' },
    amount: { type: 'integer', minimum: 1 },
    currency: { type: 'string', minLength: 3, maxLength: 3 },
    metadata: { type: 'object', additionalProperties: true },
  },
}
