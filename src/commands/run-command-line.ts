import { explainError } from '../core/api/explain-error.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { holdsCardNumber } from '../core/cards/find-card-numbers.ts'
import type { CommandName, Run } from './command-table.ts'
import { complete } from './complete.ts'
import { explainCommands, printCompletion } from './help-command.ts'
import { UsageError } from './line/command.ts'
import type { Context } from './line/terminal.ts'
import { findCommand, readArguments, verbsOf } from './read-arguments.ts'

const faults = () => import('./line/report-fault.ts')
const transfers = () => import('./money/transfers-command.ts')
const backups = () => import('./machine/backup-command.ts')
const connectors = () => import('./money/connectors-command.ts')
const bankFiles = () => import('./money/bank-files-command.ts')
const routes = () => import('./money/routes-command.ts')

/** The code of each command, loaded when it is used: most need neither HTTP nor the database. */
const loaders: { readonly [Name in CommandName]: () => Promise<Run<Name>> } = {
  serve: async () => (await import('./machine/serve-command.ts')).serve,
  open: async () => (await import('./shop/open-command.ts')).openPage,
  credentials: async () => (await import('./print-commands.ts')).printCredentials,
  demo: async () => (await import('./shop/demo-command.ts')).demoCommand,
  'logs tail': async () => (await import('./machine/logs-command.ts')).tailLogs,
  'events tail': async () => (await import('./shop/events-command.ts')).tailEvents,
  listen: async () => (await import('./shop/listen-command.ts')).listenToEvents,
  trigger: async () => (await import('./shop/trigger-command.ts')).triggerEvent,
  'merchants list': async () => (await import('./people/merchants-command.ts')).listMerchants,
  'merchants create': async () =>
    (await import('./people/merchants-command.ts')).createMerchantCommand,
  'merchants verify': async () => (await import('./people/merchants-command.ts')).verifyMerchant,
  'merchants configure': async () =>
    (await import('./people/merchants-command.ts')).configureMerchant,
  'app-tokens list': async () => (await import('./people/app-tokens-command.ts')).listAppTokens,
  'app-tokens create': async () =>
    (await import('./people/app-tokens-command.ts')).createAppTokenCommand,
  'app-tokens revoke': async () => (await import('./people/app-tokens-command.ts')).revokeAppToken,
  'users list': async () => (await import('./people/users-command.ts')).listUsers,
  'users create': async () => (await import('./people/users-command.ts')).createUserCommand,
  'users disable': async () => (await import('./people/users-command.ts')).disableUserCommand,
  'users operator': async () => (await import('./people/users-command.ts')).changeOperator,
  'users reset': async () => (await import('./people/users-command.ts')).resetUser,
  'charges list': async () => (await import('./money/charges-command.ts')).listChargesCommand,
  'charges show': async () => (await import('./money/charges-command.ts')).showCharge,
  'charges explain': async () => (await import('./money/charges-command.ts')).explainChargeCommand,
  'disputes list': async () => (await import('./money/disputes-command.ts')).listDisputesCommand,
  'disputes show': async () => (await import('./money/disputes-command.ts')).showDispute,
  'transfers list': async () => (await transfers()).listTransfers,
  'transfers create': async () => (await transfers()).createTransfersCommand,
  'transfers due': async () => (await transfers()).createDue,
  'transfers approve': async () => (await transfers()).newTransferStep('approve'),
  'transfers process': async () => (await transfers()).newTransferStep('process'),
  'transfers pay': async () => (await transfers()).newTransferStep('pay'),
  'transfers fail': async () => (await transfers()).newTransferStep('fail'),
  'transfers cancel': async () => (await transfers()).newTransferStep('cancel'),
  'connectors list': async () => (await connectors()).listConnectorsCommand,
  'connectors add': async () => (await connectors()).addConnectorCommand,
  'connectors test': async () => (await connectors()).testConnectorCommand,
  'connectors disable': async () => (await connectors()).disableConnector,
  'connectors enable': async () => (await connectors()).enableConnector,
  'routes list': async () => (await routes()).listRoutes,
  'routes set': async () => (await routes()).setRoute,
  'routes remove': async () => (await routes()).removeRoute,
  'bank-files create': async () => (await bankFiles()).createBankFileCommand,
  'bank-files list': async () => (await bankFiles()).listBankFilesCommand,
  'bank-files write': async () => (await bankFiles()).writeBankFileCommand,
  reconcile: async () => (await import('./money/reconcile-command.ts')).reconcileCommand,
  doctor: async () => (await import('./machine/doctor-command.ts')).runDoctor,
  migrate: async () => (await import('./machine/migrate-command.ts')).migrateDatabase,
  'database-url': async () => (await import('./machine/database-url-command.ts')).printDatabaseUrl,
  sizes: async () => (await import('./machine/sizes-command.ts')).showSizes,
  'backup create': async () => (await backups()).createBackupCommand,
  'backup list': async () => (await backups()).listBackupsCommand,
  'backup verify': async () => (await backups()).verifyBackupCommand,
  'backup restore': async () => (await backups()).restoreBackupCommand,
  'audit head': async () => (await import('./people/audit-command.ts')).printAuditHead,
  'audit verify': async () => (await import('./people/audit-command.ts')).verifyAudit,
  'vault rotate': async () => (await import('./machine/vault-command.ts')).rotateVault,
  'vault retire': async () => (await import('./machine/vault-command.ts')).retireKey,
  'new-key': async () => (await import('./print-commands.ts')).printNewKey,
  'pages check': async () => (await import('./machine/pages-command.ts')).checkPages,
  completion: async () => printCompletion,
  help: async () => explainCommands,
}

const help_options = ['--help', '-h']

/** Runs what was typed. Returns the exit code, or null when the process keeps running. */
export async function runCommandLine(
  words: readonly string[],
  context: Context,
): Promise<number | null> {
  try {
    return await run(words, context)
  } catch (error) {
    const { DATABASE_URL, DATABASE_URL_FILE } = context.environment
    const embedded_database = !(DATABASE_URL?.trim() || DATABASE_URL_FILE?.trim())
    const message = explainError(error, embedded_database)
    if ((words[0] ?? 'serve') === 'serve') (await faults()).reportFault(context, message)
    else context.terminal.writeError(`kaikei: ${message}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function run(words: readonly string[], context: Context): Promise<number | null> {
  const { terminal, version } = context
  const [first = 'serve', ...others] = words
  if (first === 'complete') {
    for (const { word, meaning } of complete(others)) terminal.write(`${word}\t${meaning}\n`)
    return 0
  }
  if (['--version', '-v'].includes(first)) {
    terminal.write(`kaikei ${version}\n`)
    return 0
  }
  if (help_options.includes(first)) return explainCommands(context, others, {})
  if (others.some((word) => help_options.includes(word))) {
    const named = verbsOf(first).length > 0 && help_options.includes(others[0] ?? '') ? 1 : 2
    return explainCommands(context, words.slice(0, named), {})
  }
  const { name, rest } = findCommand([first, ...others])
  const { args, options } = readArguments(name, rest)
  refuseCardNumbers(rest)
  const command = (await loaders[name]()) as Run<CommandName>
  return command(context, args, options as Parameters<typeof command>[2])
}

/** Names, notes and configurations from the operator are stored unchanged. */
function refuseCardNumbers(args: readonly string[]): void {
  if (!args.some(holdsCardNumber)) return
  throw new PlainError('An argument holds a card number, which must not be stored. Leave it out.')
}
