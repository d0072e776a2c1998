import { payment_types } from '../core/payments/payment-types.ts'
import type { Command } from './line/command.ts'

const json = { json: { meaning: 'Print JSON on a terminal too' } } as const
const connector = { name: 'CONNECTOR' } as const
const owner = {
  merchant: { value: 'MERCHANT', kind: 'merchant', meaning: 'Settings of this merchant' },
  store: { value: 'STORE', kind: 'id', meaning: 'Settings of this store of the merchant' },
} as const
const rules_of = {
  merchant: { value: 'MERCHANT', kind: 'merchant', meaning: "Instead of the installation's rules" },
} as const

/** The part of the table of commands about live payments. */
export const connector_commands = {
  'connectors list': { options: json, meaning: 'List the connectors of live payments' },
  'connectors add': {
    arguments: [connector],
    options: {
      kind: { value: 'KIND', required: true, meaning: 'The kind of connector' },
      settings: { value: 'FILE', meaning: 'Settings as JSON; by default from standard input' },
      'no-settings': {
        meaning: 'Add no settings for the installation; merchants and stores have their own',
      },
      ...owner,
    },
    meaning: 'Create a connector, or add settings to it',
    help: `The name has 1 to 40 characters of a-z, 0-9 and -, and is stored with each charge. Settings apply
to the installation unless --merchant is given, replace existing ones, and are stored encrypted.`,
    examples: ['connectors add tokyo --kind http --settings tokyo.json'],
  },
  'connectors test': {
    arguments: [connector],
    options: owner,
    meaning: 'Test the settings of a connector',
  },
  'connectors disable': {
    arguments: [connector],
    meaning: 'Send no new payments to a connector; refunds and captures continue',
  },
  'connectors enable': { arguments: [connector], meaning: 'Send new payments to a connector' },
  'routes list': {
    options: { ...rules_of, ...json },
    meaning: 'List the rules that select the connector of a live payment',
  },
  'routes set': {
    arguments: [{ name: 'POSITION', kind: 'number' }, connector],
    options: {
      ...rules_of,
      'payment-type': { value: 'TYPE', choices: payment_types, meaning: 'Only this payment type' },
      brand: { value: 'BRAND', meaning: 'Only this brand' },
      currency: { value: 'CODE', meaning: 'Only this currency' },
      'min-amount': { value: 'N', meaning: 'Only from this amount, in the smallest unit' },
      'max-amount': { value: 'N', meaning: 'Only up to this amount, in the smallest unit' },
      country: { value: 'CODE', meaning: 'Only cards of this country' },
    },
    meaning: 'Create or replace the rule at a position',
    help: `A payment uses the connector of the first matching rule; later matching rules are fallbacks. A
merchant with its own rules uses only those. Without rules, the oldest connector is tried first.`,
    examples: ['routes set 1 tokyo --brand jcb', 'routes set 2 world --currency USD'],
  },
  'routes remove': {
    arguments: [{ name: 'POSITION', kind: 'number' }],
    options: rules_of,
    meaning: 'Remove the rule at a position',
  },
} as const satisfies Readonly<Record<string, Command>>
