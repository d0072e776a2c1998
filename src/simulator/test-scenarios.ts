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
  ...card_scenarios.map(({ id, trigger, effect }) => ({
    id,
    group: 'card or e-mail',
    trigger,
    effect,
  })),
  ...Object.values<AnyMethod>(methods).flatMap(({ scenarios = [] }) => scenarios),
  {
    id: 'charge_completed',
    group: 'waiting charge',
    trigger: `${complete} with \`outcome: successful\``,
    effect: 'The customer pays or passes the challenge; the missing part of a deposit arrives',
  },
  {
    id: 'charge_declined',
    group: 'waiting charge',
    trigger: `${complete} with \`outcome: failed\``,
    effect: 'Charge fails with 340: the customer declines; 3-D Secure with 359',
  },
  {
    id: 'charge_expired',
    group: 'waiting charge',
    trigger: `${complete} with \`outcome: expired\``,
    effect: 'Charge fails with 327: the customer did not act in time',
  },
  {
    id: 'charge_on_page',
    group: 'waiting charge',
    trigger: 'the hosted page of the charge',
    effect: 'The page does the same; leaving it fails the charge with 340, a challenge with 358',
  },
  {
    id: 'deposit_received',
    group: 'deposit',
    trigger: `${deposits} with \`amount\`, \`name\``,
    effect:
      'The amount arrives at the store or bank account; a deposit that does not match is returned',
  },
  {
    id: 'deposit_unreturnable',
    group: 'deposit',
    trigger: `payer's name \`${unreturnable_name}\``,
    effect: 'Returning the money fails: it stays in suspense, where the operator sees it',
  },
  {
    id: 'dispute_created',
    group: 'dispute',
    trigger: '`POST /test/charges/{id}/disputes` with `amount`, `reason`',
    effect: 'The customer disputes the charge, or a part of it; the fee is 1500',
  },
  {
    id: 'dispute_evidence_wins',
    group: 'dispute',
    trigger: `evidence with the word \`${evidence_words.won}\``,
    effect: 'The shop wins the dispute one second later',
  },
  {
    id: 'dispute_evidence_loses',
    group: 'dispute',
    trigger: `evidence with the word \`${evidence_words.lost}\``,
    effect: 'The shop loses the dispute one second later',
  },
  {
    id: 'dispute_decided',
    group: 'dispute',
    trigger: '`POST /test/disputes/{id}/complete` with `outcome`: `won` or `lost`',
    effect: 'The bank decides immediately, regardless of the evidence',
  },
  {
    id: 'dispute_unanswered',
    group: 'dispute',
    trigger: 'no evidence within 7 days',
    effect: 'The shop loses the dispute',
  },
  ...customs_scenarios.map((scenario) => ({ ...scenario, group: 'customs declaration' })),
]
