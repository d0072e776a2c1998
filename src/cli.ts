#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { appTokensCommand } from './commands/app-tokens-command.ts'
import { chargesCommand } from './commands/charges-command.ts'
import { doctorCommand } from './commands/doctor-command.ts'
import { listenCommand } from './commands/listen-command.ts'
import { merchantsCommand } from './commands/merchants-command.ts'
import { migrateCommand } from './commands/migrate-command.ts'
import { pagesCommand } from './commands/pages-command.ts'
import { credentialsCommand, databaseUrlCommand, newKeyCommand } from './commands/print-commands.ts'
import { serveCommand } from './commands/serve-command.ts'
import { transfersCommand } from './commands/transfers-command.ts'
import { triggerCommand } from './commands/trigger-command.ts'
import { usersCommand } from './commands/users-command.ts'
import { vaultCommand } from './commands/vault-command.ts'
import { type Config, readConfig } from './config.ts'
import { holdsCardNumber } from './core/cards/find-card-numbers.ts'
import { explainError } from './core/explain-error.ts'
import { PlainError } from './core/plain-error.ts'

interface Command {
  readonly usage: string
  readonly meaning: string
  /** Resolves to the exit code, or to null when the process keeps running. */
  run(config: Config, args: string[]): Promise<number | null>
}

const commands: Record<string, Command> = {
  serve: {
    usage: 'serve',
    meaning: 'Start the service',
    run: (config, args) => serveCommand(config, args, fileURLToPath(import.meta.url)),
  },
  credentials: {
    usage: 'credentials',
    meaning: "Print the demo store's credentials as JSON",
    run: credentialsCommand,
  },
  listen: {
    usage: 'listen [--forward-to URL] [--events NAME,NAME] [--secret whsec_…]',
    meaning: "Print the demo store's events as they happen, and post them to your program",
    run: listenCommand,
  },
  trigger: {
    usage: 'trigger EVENT',
    meaning: 'Create a real object in test mode that causes the event',
    run: triggerCommand,
  },
  migrate: { usage: 'migrate', meaning: 'Bring the schema up to date', run: migrateCommand },
  merchants: {
    usage: `merchants list
  merchants create --name N --email E [--verified]
  merchants verify MERCHANT
  merchants configure MERCHANT [--store STORE] JSON`,
    meaning: 'Manage merchants',
    run: merchantsCommand,
  },
  'app-tokens': {
    usage: `app-tokens list MERCHANT
  app-tokens create MERCHANT [--store STORE [--mode live] [--domain D]…] [--days N]
  app-tokens revoke MERCHANT TOKEN`,
    meaning: 'Manage application tokens',
    run: appTokensCommand,
  },
  users: {
    usage: `users list MERCHANT
  users create MERCHANT --email E --name N [--role owner|staff] [--lang ja|en]
  users disable MERCHANT USER
  users reset MERCHANT USER [--totp]`,
    meaning: 'Manage users of the console; create and reset print a link to choose a password',
    run: usersCommand,
  },
  transfers: {
    usage: `transfers list MERCHANT
  transfers create MERCHANT [--to DATE] [--mode test|live]
  transfers due
  transfers approve|process|pay|fail|cancel TRANSFER [--reason TEXT]`,
    meaning: 'Pay merchants what they are owed, and note how far it is',
    run: transfersCommand,
  },
  charges: {
    usage: 'charges explain MERCHANT CHARGE',
    meaning: 'Show a charge with every call of its provider: why it is as it is',
    run: chargesCommand,
  },
  vault: {
    usage: 'vault rotate | retire KEY',
    meaning: 'Reseal everything with a new key; remove an old one',
    run: vaultCommand,
  },
  doctor: {
    usage: 'doctor',
    meaning: 'Check settings, database and data; say what is wrong and what to do',
    run: doctorCommand,
  },
  pages: {
    usage: 'pages check [ADDRESS]',
    meaning: "Compare the customers' pages that are served, and their headers, with this release",
    run: pagesCommand,
  },
  'database-url': {
    usage: 'database-url',
    meaning: 'Print the address of the running database, for psql',
    run: databaseUrlCommand,
  },
  'new-key': { usage: 'new-key', meaning: 'Print a new key for *_KEYS', run: newKeyCommand },
}

function help(): string {
  const rows = Object.values(commands).map(({ usage, meaning }) => `  ${usage}\n      ${meaning}`)
  return `Usage: kaikei COMMAND\n\n${rows.join('\n')}\n`
}

/** Names, notes and configurations from the operator are stored unchanged. */
function refuseCardNumbers(args: readonly string[]): void {
  if (!args.some(holdsCardNumber)) return
  throw new PlainError('An argument holds a card number, which must not be stored. Leave it out.')
}

async function main([name = 'help', ...args]: string[]): Promise<number | null> {
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(help())
    return 0
  }
  const command = commands[name]
  if (!command) {
    process.stderr.write(`There is no command "${name}".\n\n${help()}`)
    return 2
  }
  refuseCardNumbers(args)
  return command.run(readConfig(process.env), args)
}

main(process.argv.slice(2)).then(
  (code) => {
    if (code !== null) process.exitCode = code
  },
  (error) => {
    const embedded_database = (process.env.DATABASE_URL ?? '').trim() === ''
    process.stderr.write(`kaikei: ${explainError(error, embedded_database)}\n`)
    process.exitCode = 1
  },
)
