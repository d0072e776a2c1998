import { mail_languages, roles } from '../core/access/users.ts'
import { statesOf } from '../core/payments/states.ts'
import { namesOf } from '../core/table-names.ts'
import { store_events } from '../events/event-names.ts'
import { connector_commands } from './connector-commands.ts'
import type { Command } from './line/command.ts'
import type { Context } from './line/terminal.ts'

const merchant = { name: 'MERCHANT', kind: 'merchant' } as const
const json = { json: { meaning: 'Print JSON on a terminal too' } } as const
const mode = {
  mode: { value: 'MODE', choices: ['test', 'live'], meaning: 'test or live' },
} as const
const reason = { reason: { value: 'TEXT', meaning: 'Stored with the change' } } as const
const transfer = [{ name: 'TRANSFER', kind: 'id' }] as const
const no_follow = { 'no-follow': { meaning: 'Print what is there, and end' } } as const
const events = {
  events: { value: 'NAME,NAME', meaning: 'Only these events; all by default' },
} as const

/**
 * Every command as people type it, in the order of the help. Parsing, help, shell completion and
 * docs/commands.md read this table.
 */
const command_table = {
  serve: {
    options: { process: { value: 'N', kind: 'number', internal: true, meaning: 'One of several' } },
    meaning: 'Start the service; the same as no command',
    help: `Settings are environment variables: PORT, DATA_DIR, DATABASE_URL and more. Data is in ./data
unless DATA_DIR names another folder. SIGTERM or Ctrl-C stops the service within ten seconds.`,
    examples: ['', 'serve'],
  },
  open: {
    arguments: [{ name: 'PAGE', choices: ['docs', 'console'], optional: true }],
    meaning: 'Open the running service in the browser, its API reference or the console',
    help: `Prints the address. Without a terminal or a browser that is all it does. The address of the
console signs the demo user in, once and within ten minutes.`,
    examples: ['open', 'open docs', 'open console'],
  },
  credentials: {
    meaning: 'Print the credentials of the demo store as JSON',
  },
  demo: {
    options: { remove: { meaning: 'Remove the demo shop with everything in it' } },
    meaning: 'Fill a demo shop with half a year of a believable Japanese shop, in test mode',
    help: `A merchant of its own, beside the demo store: customers, payments of all kinds, refunds,
disputes, subscriptions, payouts, webhooks. The same every time. Prints an address that signs its
owner in, once and within ten minutes, and the file of its credentials. Refused where a merchant is
verified or a connector is set up.`,
    examples: ['demo', 'demo --remove'],
  },
  'logs tail': {
    options: {
      lines: { value: 'N', kind: 'number', meaning: 'Begin with the last N lines; 20 by default' },
      ...no_follow,
      ...json,
    },
    meaning: "Print the service's last log lines, and new ones as they are written",
    help: `Reads DATA_DIR/service.log, which the service writes beside its embedded database. With
DATABASE_URL there is no such file: the program that started the service has its output.`,
    examples: ['logs tail', 'logs tail --lines 500 --no-follow --json'],
  },
  'events tail': {
    options: {
      ...events,
      last: { value: 'N', kind: 'number', meaning: 'Begin with the last N events; 10 by default' },
      ...no_follow,
      ...json,
    },
    meaning: "Print the demo store's last events, and new ones as they happen",
    help: 'With --json, or without a terminal, an event is a line of JSON.',
    examples: ['events tail', 'events tail --events charge_finished,refund_finished --json'],
  },
  listen: {
    options: {
      'forward-to': { value: 'URL', meaning: 'Post each event there, as a webhook would' },
      ...events,
      secret: { value: 'SECRET', meaning: 'Sign with this whsec_… secret; made anew by default' },
    },
    meaning: "Print the demo store's events as they happen, and post them to your program",
    examples: ['listen --forward-to http://localhost:3000/hook'],
  },
  trigger: {
    arguments: [{ name: 'EVENT', choices: store_events }],
    options: { 'dry-run': { meaning: 'Print the requests instead of sending them' } },
    meaning: 'Create a real object in test mode that causes the event',
    examples: ['trigger charge_finished', 'trigger checkout_expired --dry-run'],
  },
  'merchants list': { options: json, meaning: 'List merchants' },
  'merchants create': {
    options: {
      name: { value: 'NAME', required: true, meaning: 'Name of the merchant' },
      email: { value: 'EMAIL', required: true, meaning: 'E-mail address of the merchant' },
      verified: { meaning: 'Allow live mode' },
    },
    meaning: 'Create a merchant; live mode needs `--verified`',
    examples: ['merchants create --name "Flower shop" --email owner@shop.example --verified'],
  },
  'merchants verify': {
    arguments: [merchant],
    meaning: 'Allow live-mode tokens for a merchant',
  },
  'merchants configure': {
    arguments: [merchant, { name: 'JSON' }],
    options: { store: { value: 'STORE', kind: 'id', meaning: 'Configure this store only' } },
    meaning: 'Set any configuration key, including fees and privileges',
    examples: [`merchants configure demo '{"percent_fee": 3.5}'`],
  },
  'app-tokens list': {
    arguments: [merchant],
    options: json,
    meaning: 'List the application tokens of a merchant',
  },
  'app-tokens create': {
    arguments: [merchant],
    options: {
      store: { value: 'STORE', kind: 'id', meaning: 'For this store; else for the merchant' },
      ...mode,
      domain: { value: 'DOMAIN', many: true, meaning: 'Pages there may use it; may be repeated' },
      days: { value: 'N', kind: 'number', meaning: 'Expires after so many days, 1 to 9999' },
    },
    meaning: 'Create an application token; its secret is printed once',
    examples: ['app-tokens create demo --days 30'],
  },
  'app-tokens revoke': {
    arguments: [merchant, { name: 'TOKEN', kind: 'id' }],
    meaning: 'End an application token, immediately and everywhere',
  },
  'users list': {
    arguments: [merchant],
    options: json,
    meaning: 'List the people of a merchant who log in',
  },
  'users create': {
    arguments: [merchant],
    options: {
      email: { value: 'EMAIL', required: true, meaning: 'The address to log in with' },
      name: { value: 'NAME', required: true, meaning: 'Name of the person' },
      role: { value: 'ROLE', choices: roles, meaning: `${roles.join(', ')}; owner by default` },
      operator: { meaning: 'Lets the user operate this service: see every merchant, and payouts' },
      lang: {
        value: 'LANG',
        choices: mail_languages,
        meaning: 'Language of mails: ja (default), en',
      },
    },
    meaning: 'Create a user; prints a link to choose a password',
    examples: ['users create demo --email hanako@shop.example --name 花子 --role staff'],
  },
  'users disable': {
    arguments: [merchant, { name: 'USER', kind: 'id' }],
    meaning: 'Delete a user',
  },
  'users operator': {
    arguments: [merchant, { name: 'USER', kind: 'id' }],
    options: { remove: { meaning: 'The user no longer operates the service' } },
    meaning: 'Let a user operate this service: see every merchant, and payouts',
  },
  'users reset': {
    arguments: [merchant, { name: 'USER', kind: 'id' }],
    options: { totp: { meaning: 'Remove the second factor too' } },
    meaning: 'Print a new link to choose a password',
  },
  'charges list': {
    arguments: [merchant],
    options: {
      store: { value: 'STORE', kind: 'id', meaning: 'Only items of this store' },
      status: { value: 'STATUS', choices: statesOf('charge'), meaning: 'Only items in this state' },
      from: { value: 'TIME', meaning: 'Created at this time or later' },
      to: { value: 'TIME', meaning: 'Created before this time' },
      ...mode,
      limit: { value: 'N', kind: 'number', meaning: 'At most N, 20 by default, up to 1000' },
      ...json,
    },
    meaning: 'List charges of a merchant, newest first',
    examples: ['charges list demo --status failed --from 2026-01-31 --limit 100'],
  },
  'charges show': {
    arguments: [merchant, { name: 'CHARGE', kind: 'id' }],
    options: json,
    meaning: 'Show a charge',
  },
  'charges explain': {
    arguments: [merchant, { name: 'CHARGE', kind: 'id' }],
    options: json,
    meaning: 'Explain the state of a charge by every call to its provider',
  },
  'disputes list': {
    arguments: [merchant],
    options: {
      status: {
        value: 'STATUS',
        choices: statesOf('dispute'),
        meaning: 'Only items in this state',
      },
      ...json,
    },
    meaning: 'List the last 100 disputes of a merchant',
  },
  'disputes show': {
    arguments: [merchant, { name: 'DISPUTE', kind: 'id' }],
    options: json,
    meaning: 'Show a dispute',
  },
  'transfers list': {
    arguments: [merchant],
    options: json,
    meaning: 'List the last 100 transfers of a merchant',
  },
  'transfers create': {
    arguments: [merchant],
    options: {
      to: { value: 'TIME', meaning: 'Pay what became due before; by default now' },
      ...mode,
    },
    meaning: 'Create the transfers of a merchant',
    examples: ['transfers create demo --to 2026-01-31 --mode test'],
  },
  'transfers due': { meaning: 'Create the scheduled transfers of all merchants' },
  'transfers approve': { arguments: transfer, options: reason, meaning: 'Approve a transfer' },
  'transfers process': {
    arguments: transfer,
    options: reason,
    meaning: 'Record that the bank has the order',
  },
  'transfers pay': {
    arguments: transfer,
    options: reason,
    meaning: 'Record that the money has left',
  },
  'transfers fail': {
    arguments: transfer,
    options: reason,
    meaning: 'Record that the bank refused it; the amount is owed again',
  },
  'transfers cancel': {
    arguments: transfer,
    options: reason,
    meaning: 'Cancel a transfer; the amount is owed again',
  },
  ...connector_commands,
  reconcile: {
    arguments: [{ name: 'FILE', optional: true }],
    options: {
      connector: { value: 'NAME', required: true, meaning: 'The connector that settled' },
      map: { value: 'NAME=COLUMN,…', meaning: 'How the file names id, reference, amount, …' },
      amounts: {
        value: 'UNIT',
        choices: ['minor', 'major'],
        meaning: 'minor (default): 1050; major: 10.50',
      },
      ...json,
    },
    meaning: 'Compare settlements of a connector, or of a CSV file, with the ledger',
    help: `Can be interrupted and repeated at any time: a file is imported once. The exit code is 1 when
something does not agree.`,
    examples: ['reconcile settlement.csv --connector acquirer --map id=Line,amount=Gross'],
  },
  doctor: {
    options: {
      live: { meaning: 'Check what docs/going-live.md asks for before real money, too' },
      ...json,
    },
    meaning: 'Check settings, database and data; report faults and what to do',
    help: `Writes nothing. The exit code is 1 when something is wrong or, with --live, missing. With --live
every enabled connector is called, without effect.`,
    examples: ['doctor', 'doctor --live'],
  },
  migrate: {
    options: {
      wait: { meaning: 'Wait until machines of an older release are gone, instead of refusing' },
    },
    meaning: 'Migrate the schema; the start does it too',
    help: `Runs beside the service. Can be interrupted and repeated at any time. A step that removes something
is refused while machines serve that still use it.`,
    examples: ['migrate', 'migrate --wait'],
  },
  'database-url': { meaning: 'Print the address of the running database, for `psql`' },
  sizes: {
    options: json,
    meaning: 'Show rows, size and growth of every table',
    help: `Rows are the estimate of the database's statistics, growth is what was inserted and not deleted
since they began, or since the schema was created.`,
  },
  'backup create': {
    options: {
      to: { value: 'FOLDER', meaning: 'Where to; BACKUP_DIR, or `backups` in DATA_DIR by default' },
      'with-keys': { meaning: 'With keys.json; only an encrypted backup can have it' },
    },
    meaning: 'Back up the embedded database, also while it runs',
    help: `The file is tar, gzip and, with BACKUP_PASSPHRASE, age: the programs of these names read it.
It appears under its name when it is complete.`,
  },
  'backup list': {
    options: { from: { value: 'FOLDER', meaning: 'The folder of the backups' }, ...json },
    meaning: 'List backups, newest first',
  },
  'backup verify': {
    arguments: [{ name: 'FILE', optional: true }],
    options: { drill: { meaning: 'Restore into a folder of its own, and run the doctor there' } },
    meaning: 'Check every file of a backup; the newest by default',
  },
  'backup restore': {
    arguments: [{ name: 'FILE', optional: true }],
    meaning: 'Restore a backup into an empty DATA_DIR; the newest by default',
    examples: ['backup restore kaikei-20260401T030000Z.tar.gz.age'],
  },
  'audit head': {
    meaning: 'Print the end of the audit log as JSON, to be stored elsewhere',
    help: 'Store the output on another machine. `audit verify` compares it with the log at any later time.',
    examples: ['audit head'],
  },
  'audit verify': {
    arguments: [{ name: 'FILE' }],
    meaning: 'Check that the audit log still contains an end that was printed earlier',
    examples: ['audit verify audit-head.json'],
  },
  'vault rotate': {
    meaning: 'Reseal everything with a new key',
    help: 'Can be interrupted and repeated at any time, beside the running service.',
  },
  'vault retire': { arguments: [{ name: 'KEY' }], meaning: 'Remove an old key that nothing needs' },
  'new-key': { meaning: 'Print a new key for the key settings' },
  'pages check': {
    arguments: [{ name: 'ADDRESS', optional: true }],
    meaning: 'Compare the pages a service serves with those of this release',
  },
  completion: {
    arguments: [{ name: 'SHELL', choices: ['bash', 'zsh', 'fish'] }],
    meaning: 'Print the completion script of a shell',
    help: `bash: eval "$(kaikei completion bash)" in ~/.bashrc
zsh:  eval "$(kaikei completion zsh)" in ~/.zshrc, after compinit
fish: kaikei completion fish > ~/.config/fish/completions/kaikei.fish`,
  },
  help: {
    arguments: [{ name: 'COMMAND', optional: true, many: true }],
    meaning: 'Explain all commands, or one; so does `COMMAND --help`',
    examples: ['help charges', 'help charges list'],
  },
} as const satisfies Readonly<Record<string, Command>>

export type CommandName = keyof typeof command_table

export const commands: Readonly<Record<string, Command>> = command_table
export const command_names = namesOf(command_table)

type TextOf<One> = One extends { choices: readonly (infer Choice)[] }
  ? Choice
  : One extends { kind: 'number' }
    ? number
    : string
type ValueOf<One> = One extends { value: string }
  ? One extends { many: true }
    ? TextOf<One>[]
    : TextOf<One>
  : boolean
type Named<Name extends CommandName> = (typeof command_table)[Name] extends { options: infer All }
  ? All
  : object
type Required<All> = {
  readonly [Key in keyof All as All[Key] extends { required: true } ? Key : never]: ValueOf<
    All[Key]
  >
}

/** The options of a command as its code receives them. */
export type OptionsOf<Name extends CommandName> = Required<Named<Name>> & {
  readonly [Key in keyof Named<Name>]?: ValueOf<Named<Name>[Key]>
}

/** Resolves to the exit code, or to null when the process keeps running. */
export type Run<Name extends CommandName> = (
  context: Context,
  args: readonly string[],
  options: OptionsOf<Name>,
) => Promise<number | null>
