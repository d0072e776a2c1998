import { Ajv } from 'ajv'
import { MerchantConfigurationPatch } from '../../accounts/configuration/configuration.ts'
import { createMerchant } from '../../accounts/merchants/create-merchant.ts'
import { viewMerchant } from '../../accounts/merchants/merchant.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'
import { patchStore } from '../../accounts/stores/patch-store.ts'
import { viewStore } from '../../accounts/stores/store.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { formats } from '../../core/typed/formats.ts'
import type { Run } from '../command-table.ts'
import { type Column, showJson, showList, showRecord, timeText } from '../line/show.ts'
import { withMerchant, withService } from '../line/with-service.ts'

export const listMerchants: Run<'merchants list'> = async (context, _, options) => {
  const merchants = await withService(context.config, ({ service }) =>
    service.db
      .selectFrom('merchants')
      .select(['id', 'name', 'email', 'verified', 'created_on'])
      .orderBy('id')
      .execute(),
  )
  showList(
    context.terminal,
    merchants,
    [
      { title: 'ID', text: (one) => one.id },
      { title: 'NAME', text: (one) => one.name, shrinks: true },
      { title: 'E-MAIL', text: (one) => one.email, shrinks: true },
      { title: 'LIVE MODE', text: (one) => (one.verified ? 'yes' : 'no') },
      { title: 'CREATED', text: (one) => timeText(one.created_on) },
    ],
    options,
  )
  return 0
}

export const createMerchantCommand: Run<'merchants create'> = async (context, _, options) => {
  const { name, email, verified = false } = options
  if (name === '' || !formats.email.accepts(email)) {
    throw new PlainError('--name must not be empty, and --email must be an e-mail address.')
  }
  const merchant = await withService(context.config, ({ service }) =>
    createMerchant(service, { name, email, verified }),
  )
  showJson(context.terminal, viewMerchant(merchant))
  return 0
}

/** Enables live-mode tokens for the merchant. */
export const verifyMerchant: Run<'merchants verify'> = async (context, [given], options) => {
  const merchant = await withMerchant(context.config, given, (service, merchant_id) =>
    patchMerchant(service, merchant_id, { verified: true }, 'operator'),
  )
  const { id, name, email, verified } = viewMerchant(merchant)
  showRecord(context.terminal, { id, name, email, verified }, verified_fields, options)
  return 0
}

const verified_fields: readonly Column<{
  id: string
  name: string
  email: string
  verified: boolean
}>[] = [
  { title: 'Merchant', text: ({ id }) => id },
  { title: 'Name', text: ({ name }) => name },
  { title: 'E-mail', text: ({ email }) => email },
  { title: 'Live mode', text: ({ verified }) => (verified ? 'allowed' : 'not allowed') },
  {
    title: 'Next',
    text: ({ id }) => `kaikei app-tokens create ${id} --store STORE --mode live --domain DOMAIN`,
  },
]

/** The operator may set every key, including fees and privileges; the types are still validated. */
export const configureMerchant: Run<'merchants configure'> = async (context, args, options) => {
  const [given, json = ''] = args
  const { store } = options
  const configuration = readConfiguration(json)
  const view = await withMerchant(context.config, given, async (service, merchant_id) =>
    store
      ? viewStore(await patchStore(service, { merchant_id }, store, { configuration }, 'operator'))
      : viewMerchant(await patchMerchant(service, merchant_id, { configuration }, 'operator')),
  )
  showJson(context.terminal, view.configuration)
  return 0
}

function readConfiguration(json: string): object {
  const ajv = new Ajv({ strict: false, allErrors: true })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts)
  const check = ajv.compile(MerchantConfigurationPatch)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new PlainError('The configuration must be JSON, for example \'{"percent_fee": 3.5}\'.')
  }
  if (!check(value))
    throw new PlainError(`The configuration is not valid: ${ajv.errorsText(check.errors)}`)
  return value as object
}
