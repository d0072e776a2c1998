import type { AnyMethod, TestScenario } from '../methods/contract/payment-method.ts'
import { methods } from '../methods/method-table.ts'
import { unreturnable_name } from './customer-actions.ts'
import { card_scenarios } from './decisions/card-scenarios.ts'
import { customs_scenarios } from './decisions/decide-customs.ts'
import { evidence_words } from './simulated-disputes.ts'

const complete = '`POST /test/charges/{id}/complete`'
const deposits = '`POST /test/charges/{id}/deposits`'

/** Every scenario of test mode. Documents and `GET /test/scenarios` show this table. */
export const test_scenarios: readonly TestScenario[] = [
  ...card_scenarios.map(({ scenario: lever, effect }) => ({
    group: 'card or e-mail',
    lever,
    effect,
  })),
  ...Object.values<AnyMethod>(methods).flatMap(({ scenarios = [] }) => scenarios),
  {
    group: 'waiting charge',
    lever: `${complete} with \`outcome: successful\``,
    effect: 'The customer pays, or passes the challenge; what is missing of a deposit arrives',
  },
  {
    group: 'waiting charge',
    lever: `${complete} with \`outcome: failed\``,
    effect: 'Charge fails with 340: the customer declines; 3-D Secure with 359',
  },
  {
    group: 'waiting charge',
    lever: `${complete} with \`outcome: expired\``,
    effect: 'Charge fails with 327: nobody acted in time',
  },
  {
    group: 'waiting charge',
    lever: 'the hosted page of the charge',
    effect: 'The same by hand; who leaves it fails the charge with 340, a challenge with 358',
  },
  {
    group: 'deposit',
    lever: `${deposits} with \`amount\`, \`name\``,
    effect: 'So much arrives at the till or on the account; what does not match is sent back',
  },
  {
    group: 'deposit',
    lever: `payer's name \`${unreturnable_name}\``,
    effect: 'What should go back cannot: it stays in suspense, where the operator sees it',
  },
  {
    group: 'dispute',
    lever: '`POST /test/charges/{id}/disputes` with `amount`, `reason`',
    effect: 'The customer disputes the charge, or so much of it; the fee is 1500',
  },
  {
    group: 'dispute',
    lever: `evidence with the word \`${evidence_words.won}\``,
    effect: 'The bank decides for you a second later',
  },
  {
    group: 'dispute',
    lever: `evidence with the word \`${evidence_words.lost}\``,
    effect: 'The bank decides for the customer a second later',
  },
  {
    group: 'dispute',
    lever: '`POST /test/disputes/{id}/complete` with `outcome`: `won` or `lost`',
    effect: 'The bank decides now, whatever the evidence says',
  },
  {
    group: 'dispute',
    lever: 'no evidence within 7 days',
    effect: 'The dispute is lost',
  },
  ...customs_scenarios.map(({ scenario: lever, effect }) => ({
    group: 'customs declaration',
    lever,
    effect,
  })),
]
