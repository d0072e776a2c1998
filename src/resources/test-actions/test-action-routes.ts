import Type from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { max_amount } from '../../core/money/money.ts'
import { Id, Label, nullable } from '../../core/schemas.ts'
import { test_scenarios } from '../../providers/simulator/test-scenarios.ts'
import { atTimeOf } from '../../service.ts'
import { ChargeView, viewCharge } from '../charges/charge.ts'
import type { RouteModule } from '../route.ts'
import { completeCharge, depositTo, getTestCharge } from './test-actions.ts'

const tags = ['test mode']
const TestChargePath = Type.Object({ charge_id: Id })

const Scenario = named(
  'TestScenario',
  Type.Object({ group: Type.String(), lever: Type.String(), effect: Type.String() }),
)
const Scenarios = named('TestScenarios', Type.Object({ items: Type.Array(Scenario) }))
const Complete = named(
  'CompleteTestCharge',
  Type.Object({ outcome: Type.Enum(['successful', 'failed', 'expired']) }),
)
const CreateDeposit = named(
  'CreateTestDeposit',
  Type.Object({
    amount: Type.Integer({ minimum: 1, maximum: max_amount }),
    name: Type.Optional(nullable(Label())),
  }),
)
const Deposit = named(
  'TestDeposit',
  Type.Object({
    reference: Id,
    charge_id: Id,
    amount: Type.Integer(),
    currency: Type.String(),
    name: nullable(Type.String()),
  }),
)

export const testActionRoutes: RouteModule = (http) => {
  http.get(
    '/test/scenarios',
    {
      config: { access: { level: 'public' } },
      schema: {
        tags,
        summary: 'List everything that test mode can be made to do',
        operationId: 'listTestScenarios',
        response: { 200: Scenarios },
      },
    },
    async () => ({ items: [...test_scenarios] }),
  )

  http.post(
    '/test/charges/:charge_id/complete',
    {
      schema: {
        tags,
        summary: 'Act as the customer of a test charge that waits',
        operationId: 'completeTestCharge',
        params: TestChargePath,
        body: Complete,
        response: { 200: ChargeView },
      },
    },
    async ({ service: base, caller, params, body }) => {
      const charge = await getTestCharge(base, caller, params.charge_id)
      const service = atTimeOf(base, charge)
      await completeCharge(service, charge, body.outcome)
      return viewCharge(service, charge)
    },
  )

  http.post(
    '/test/charges/:charge_id/deposits',
    {
      schema: {
        tags,
        summary: 'Let money arrive for a test charge at a till or by bank transfer',
        operationId: 'createTestDeposit',
        params: TestChargePath,
        body: CreateDeposit,
        response: { 201: Deposit },
      },
    },
    async ({ service: base, caller, params, body }, reply) => {
      const charge = await getTestCharge(base, caller, params.charge_id)
      const service = atTimeOf(base, charge)
      const { amount, name = null } = body
      const reference = await depositTo(service, charge, amount, name)
      reply.code(201)
      const { id: charge_id, provider_currency: currency } = charge
      return { reference, charge_id, amount, currency, name }
    },
  )
}
