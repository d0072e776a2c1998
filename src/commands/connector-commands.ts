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
      'no-settings': { meaning: 'Only merchants and stores will have settings' },
      ...owner,
    },
    meaning: 'Create a connector, or add settings to it',
    help: `The name is 1 to 40 of a-z, 0-9 and -; charges keep it. Without --merchant the settings are
those of the installation. Settings that exist are replaced. They are stored sealed.`,
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
    meaning: 'List the rules that say which connector a live payment goes to',
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
    meaning: 'Write the rule at a position; one that is there is replaced',
    help: `The first rule that matches decides, and the following ones that match are its fall-backs. A
merchant with rules of its own uses only these. Without any rule, connectors are used in the order of their
creation.`,
    examples: ['routes set 1 tokyo --brand jcb', 'routes set 2 world --currency USD'],
  },
  'routes remove': {
    arguments: [{ name: 'POSITION', kind: 'number' }],
    options: rules_of,
    meaning: 'Remove the rule at a position',
  },
} as const satisfies Readonly<Record<string, Command>>
