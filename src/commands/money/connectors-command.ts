import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import {
  addConnector,
  listConnectors,
  setDisabled,
  testConnector,
} from '../../accounts/connectors/connectors-store.ts'
import type { CredentialOwner } from '../../accounts/provider-credentials/provider-credentials.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { capabilitiesText } from '../../core/payments/account-capabilities.ts'
import type { Service } from '../../service.ts'
import type { Run } from '../command-table.ts'
import { showList, timeText } from '../line/show.ts'
import { findMerchant, withService } from '../line/with-service.ts'

export const listConnectorsCommand: Run<'connectors list'> = async (context, _, options) => {
  const found = await withService(context.config, ({ service }) => listConnectors(service))
  showList(
    context.terminal,
    found,
    [
      { title: 'NAME', text: (one) => one.name },
      { title: 'KIND', text: (one) => one.kind },
      { title: 'STATE', text: (one) => (one.disabled_on ? 'disabled' : 'enabled') },
      { title: 'INSTALLATION', text: (one) => (one.has_settings ? 'settings' : 'none') },
      {
        title: 'TAKES',
        text: ({ takes }) => (takes ? capabilitiesText(takes) : ''),
        shrinks: true,
      },
      { title: 'OWN ACCOUNTS', text: (one) => String(one.accounts), align: 'right' },
      { title: 'CREATED', text: (one) => timeText(one.created_on) },
    ],
    options,
  )
  return 0
}

interface Owned {
  readonly merchant?: string
  readonly store?: string
}

async function ownerOf(service: Service, options: Owned): Promise<CredentialOwner | null> {
  const { merchant, store } = options
  if (store && !merchant) throw new PlainError('--store also needs --merchant.')
  if (!merchant) return null
  return { merchant_id: await findMerchant(service, merchant), store_id: store ?? null }
}

export const addConnectorCommand: Run<'connectors add'> = async (context, [name = ''], options) => {
  const { kind, settings: file, 'no-settings': none } = options
  if (none && file) throw new PlainError('Use either --settings or --no-settings, not both.')
  const settings = none ? null : readJson(await readSettingsText(file), file ?? 'standard input')
  const tested = await withService(context.config, async ({ service }) =>
    addConnector(service, { name, kind, owner: await ownerOf(service, options), settings }),
  )
  const seen = tested?.is_ok ? ` The test call: ${tested.seen}` : ''
  context.terminal.write(`The connector ${name} is configured.${seen}\n`)
  return 0
}

/** Secrets come from a file or from standard input: arguments are seen by every program of the machine. */
async function readSettingsText(file: string | undefined): Promise<string> {
  if (!file) return text(process.stdin)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new PlainError(`The file ${file} cannot be read. Check its path and permissions.`)
  }
}

/** Without the message of the parser, which would repeat a part of the text. */
function readJson(given: string, where: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    throw new PlainError(
      `The settings from ${where} are not JSON. Write them as {"name": "value", …}.`,
    )
  }
}

export const testConnectorCommand: Run<'connectors test'> = async (
  context,
  [name = ''],
  options,
) => {
  const tested = await withService(context.config, async ({ service }) =>
    testConnector(service, name, await ownerOf(service, options)),
  )
  const { terminal } = context
  if (tested.is_ok) terminal.write(`${tested.seen}\n`)
  else terminal.writeError(`kaikei: the test request failed: ${tested.problem}\n`)
  return tested.is_ok ? 0 : 1
}

export const disableConnector: Run<'connectors disable'> = async (context, [name = '']) => {
  await withService(context.config, ({ service }) => setDisabled(service, name, true))
  context.terminal.write(`The connector ${name} receives no new payments.\n`)
  return 0
}

export const enableConnector: Run<'connectors enable'> = async (context, [name = '']) => {
  await withService(context.config, ({ service }) => setDisabled(service, name, false))
  context.terminal.write(`The connector ${name} receives new payments.\n`)
  return 0
}
