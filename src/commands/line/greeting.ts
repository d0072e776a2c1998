import { credentialsPath } from '../../accounts/demo/demo-credentials.ts'
import type { RunningService } from '../../main.ts'

interface Place {
  readonly data_dir: string
  readonly is_terminal: boolean
  readonly called_as: string
}

/**
 * The greeting of a start. A start that created credentials and a sign-in link shows them once, and only on a
 * terminal. Other outputs may be stored, so there the commands read the credentials from their file.
 */
export function greeting(
  { base_url, demo }: Pick<RunningService, 'base_url' | 'demo'>,
  { data_dir, is_terminal, called_as }: Place,
): string {
  const lines = [
    `Kaikei is ready at ${base_url}`,
    demo?.console_link && is_terminal
      ? `  console         ${demo.console_link} (signs you in once, within 15 minutes)`
      : `  console         ${base_url}/console${demo ? ` (${called_as} open console)` : ''}`,
    `  API reference   ${base_url}/docs`,
    `  commands        ${called_as} help`,
    ...(demo?.is_new
      ? [`  demo shop       ${called_as} demo (half a year of invented payments)`]
      : []),
  ]
  if (demo) {
    const path = credentialsPath(data_dir)
    const { secret, jwt } = demo.credentials
    const shown = demo.is_new && is_terminal
    lines.push(
      `  credentials     ${path} (${called_as} credentials)`,
      '',
      'Create a token and a charge, in another terminal:',
      '',
      ...(shown ? [`AUTH='Authorization: Bearer ${secret}.${jwt}'`] : readingFrom(path)),
      tryIt(base_url),
    )
  }
  return `\n${lines.join('\n')}\n\n`
}

/** Needs only a shell: the file has one field per line. */
function readingFrom(path: string): string[] {
  const file = `'${path.replaceAll("'", `'\\''`)}'`
  return [
    `field() { sed -n 's/.*"'"$1"'": "\\([^"]*\\)".*/\\1/p' ${file}; }`,
    'AUTH="Authorization: Bearer $(field secret).$(field jwt)"',
  ]
}

/** Ready to paste: needs only a shell and curl. */
function tryIt(base_url: string): string {
  const card = '"card_number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"123"'
  const token = `{"payment_type":"card","email":"a@example.com","data":{"cardholder":"A B",${card}}}`
  const charge = '{"transaction_token_id":"\'$TOKEN\'","amount":1000,"currency":"JPY"}'
  return [
    "JSON='Content-Type: application/json'",
    `TOKEN=$(curl -s ${base_url}/tokens -H "$AUTH" -H "$JSON" \\`,
    `  -d '${token}' | sed 's/^{"id":"\\([^"]*\\).*/\\1/')`,
    `curl -s ${base_url}/charges -H "$AUTH" -H "$JSON" -d '${charge}'`,
  ].join('\n')
}
