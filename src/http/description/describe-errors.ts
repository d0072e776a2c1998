import { errors, reasons } from '../../core/api/errors.ts'
import { charge_errors } from '../../core/payments/charge-errors.ts'

function rows(entries: readonly (readonly unknown[])[]): string {
  return entries.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const introduction = `# Errors

For developers, to look up: every error code, and when to retry. 10 minutes.

Every error has the same body:

\`\`\`json
{
  "status": "error",
  "code": "VALIDATION_ERROR",
  "name": "ValidationError",
  "message": "amount must be an integer; currency is required.",
  "errors": [
    { "field": "amount", "reason": "INVALID_FORMAT" },
    { "field": "currency", "reason": "REQUIRED_VALUE" }
  ]
}
\`\`\`

- Decide by \`code\`, and by the \`reason\` of a field. \`name\` is the code in another spelling.
- \`message\` is for people: it names the fields, what they must be and what to do, and may change.
- \`errors\` is always present. It names every wrong field of the request in dotted form, up to 50 of them:
  \`triggers.0\`.
- \`X-Request-Id\` is on every response. Send your own (up to 128 letters, digits and \`._:-\`) or take
  ours; it finds the request in the log.
- \`X-Ignored-Fields\` names unknown fields of the body and parameters of the URL that the service has
  ignored, so that typing errors become visible.
- \`null\` for an optional field of a body means that the field is absent.

## When to retry

| Response | Retry? |
|---|---|
| 429, 503 | Yes, after \`Retry-After\` seconds |
| 408, 500, no response at all | Yes, with the same \`Idempotency-Key\`: the change is made once |
| 409 \`IDEMPOTENCY_KEY_CONFLICT\` with \`Retry-After\` | Yes, with the same key |
| every other 4xx | No; the same request gets the same response |

A client that keeps repeating refused requests gets its refusals later, by up to a second.`

/** The document of errors, generated from the tables that the service uses. */
export function describeErrors(): string {
  const codes = Object.entries(errors)
    .map(([code, [status, sentence]]) => [`\`${code}\``, status, sentence] as const)
    .toSorted(([, a], [, b]) => a - b)
  const fields = Object.entries(reasons).map(([reason, words]) => [`\`${reason}\``, words])
  const payments = Object.entries(charge_errors)
  return `${introduction}

## Codes

| Code | Status | Meaning |
|---|---|---|
${rows(codes)}

## Reasons

What is wrong with one field. The message says more where there is more to say, such as the allowed values.

| Reason | The field |
|---|---|
${rows(fields)}

## When a payment fails

A charge, refund, cancel or customs declaration that was accepted and then refused is no HTTP error: the
resource has the status \`failed\` (refused) or \`error\` (a technical failure) and says why.

\`\`\`json
{ "status": "failed", "error": { "code": 306, "message": "…", "detail": null } }
\`\`\`

Billing a recurring token again within 30 seconds is refused immediately with \`CHARGE_TOO_QUICK\` and
\`"error": {"code": 311, …}\` beside it.

| Code | Message |
|---|---|
${rows(payments)}
`
}
