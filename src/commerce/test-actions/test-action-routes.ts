import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, Label, nullable } from '../../core/api/schemas.ts'
import { max_amount } from '../../core/money/money.ts'
import { dispute_reasons } from '../../core/payments/disputes.ts'
import { ChargeView, viewCharge } from '../../payments/charges/charge.ts'
import { atTimeOf } from '../../service.ts'
import { test_scenarios } from '../../simulator/test-scenarios.ts'
import { DisputeView, viewWholeDispute } from '../disputes/dispute.ts'
import {
  completeCharge,
  completeDispute,
  depositTo,
  disputeCharge,
  getTestCharge,
} from './test-actions.ts'

const Scenario = named(
  'TestScenario',
  Type.Object({
    id: described(
      Type.String(),
      'A stable identifier. Scenarios of one kind differ after the colon, as in `qr_wallet:pay_pay`.',
    ),
    group: described(
      Type.String(),
      'The kind of value or call that selects the scenario, such as a card or a deposit.',
    ),
    trigger: described(Type.String(), 'The value or the call that selects the scenario.'),
    lever: described(Type.String(), 'The former name of `trigger`, with the same value.'),
    effect: described(Type.String(), 'The outcome of the scenario.'),
  }),
  'A scenario of test mode.',
)
const Scenarios = named(
  'TestScenarios',
  Type.Object({
    items: described(Type.Array(Scenario), 'Every scenario, in the order of the documentation.'),
  }),
  'The scenarios of test mode.',
)
const Complete = named(
  'CompleteTestCharge',
  Type.Object({
    outcome: described(
      Type.Enum(['successful', 'failed', 'expired']),
      "The customer's action: pay (`successful`), decline (`failed`), or nothing in time " +
        '(`expired`).',
    ),
  }),
  "The action of a waiting test charge's customer.",
)
const CreateDeposit = named(
  'CreateTestDeposit',
  Type.Object({
    amount: described(
      Type.Integer({ minimum: 1, maximum: max_amount }),
      "The arriving amount, in the smallest unit of the charge's currency.",
    ),
    name: described(
      Type.Optional(nullable(Label())),
      'The name of the payer. `RETURN FAILS` makes a return of the money fail.',
    ),
  }),
  'Money that arrives for a test charge.',
)
const Deposit = named(
  'TestDeposit',
  Type.Object({
    reference: described(
      Id,
      'The reference of the deposit at the simulated bank or convenience store.',
    ),
    charge_id: common.charge_id,
    amount: common.amount,
    currency: common.currency,
    name: described(nullable(Type.String()), 'The name of the payer; null when none was sent.'),
  }),
  'Money that the simulator has received for a charge.',
)

const CreateDispute = named(
  'CreateTestDispute',
  Type.Object({
    amount: described(
      Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: max_amount }))),
      'The disputed amount. Maximum and default: the remaining amount of the charge.',
    ),
    reason: described(
      Type.Optional(Type.Enum([...dispute_reasons])),
      'Why. Default: `fraudulent`.',
    ),
  }),
  'A dispute of a test charge.',
)
const CompleteDispute = named(
  'CompleteTestDispute',
  Type.Object({ outcome: described(Type.Enum(['won', 'lost']), 'How the bank decides.') }),
  "The bank's decision about a test dispute.",
)

export const testActionRoutes: readonly Route[] = [
  operation({
    at: 'GET /test/scenarios',
    id: 'listTestScenarios',
    client: 'test.listScenarios',
    tag: 'test mode',
    summary: 'List the scenarios of test mode',
    text:
      'Every value that triggers an outcome in test mode, beginning with the card that ' +
      'succeeds.',
    right: 'public',
    responses: { 200: Scenarios },
    handle: async () => ({
      items: test_scenarios.map((scenario) => ({ ...scenario, lever: scenario.trigger })),
    }),
  }),

  operation({
    at: 'POST /test/charges/:charge_id/complete',
    id: 'completeTestCharge',
    client: 'test.completeCharge',
    tag: 'test mode',
    summary: 'Complete an awaiting test charge as the customer',
    text: 'Pays, declines or lets a waiting charge expire, as on its hosted page.',
    right: 'test',
    body: Complete,
    responses: { 200: ChargeView },
    handle: async ({ service: base, caller, params, body }) => {
      const charge = await getTestCharge(base, caller, params.charge_id)
      const service = atTimeOf(base, charge)
      await completeCharge(service, charge, body.outcome)
      return viewCharge(service, charge)
    },
  }),

  operation({
    at: 'POST /test/charges/:charge_id/deposits',
    id: 'createTestDeposit',
    client: 'test.createDeposit',
    tag: 'test mode',
    summary: 'Create a deposit for a test charge',
    text: '`match_amount` of the token or store decides what a different amount does.',
    right: 'test',
    body: CreateDeposit,
    responses: { 201: Deposit },
    handle: async ({ service: base, caller, params, body }) => {
      const charge = await getTestCharge(base, caller, params.charge_id)
      const service = atTimeOf(base, charge)
      const { amount, name = null } = body
      const reference = await depositTo(service, charge, amount, name)
      const { id: charge_id, provider_currency: currency } = charge
      return { reference, charge_id, amount, currency, name }
    },
  }),

  operation({
    at: 'POST /test/charges/:charge_id/disputes',
    id: 'createTestDispute',
    client: 'test.createDispute',
    tag: 'test mode',
    summary: 'Create a dispute of a test charge',
    text: "Withdraws the amount and a fee, as the customer's bank would.",
    right: 'test',
    body: CreateDispute,
    responses: { 201: DisputeView },
    handle: async ({ service: base, caller, params, body }) => {
      const charge = await getTestCharge(base, caller, params.charge_id)
      const service = atTimeOf(base, charge)
      const { amount = null, reason = 'fraudulent' } = body
      return viewWholeDispute(service, await disputeCharge(service, charge, { amount, reason }))
    },
  }),

  operation({
    at: 'POST /test/disputes/:dispute_id/complete',
    id: 'completeTestDispute',
    client: 'test.completeDispute',
    tag: 'test mode',
    summary: 'Complete a dispute of a test charge as the bank',
    text: 'The outcome does not depend on the evidence.',
    right: 'test',
    errors: ['DISPUTE_NOT_OPEN'],
    body: CompleteDispute,
    responses: { 200: DisputeView },
    handle: async ({ service, caller, params, body }) =>
      viewWholeDispute(
        service,
        await completeDispute(service, caller, params.dispute_id, body.outcome),
      ),
  }),
]
