import Type, { type Static } from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { answeringInput } from '../../core/api/plain-error.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { installation_id } from '../../core/ids.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import type { Service } from '../../service.ts'
import { CheckedPayment, checkRoute, RouteCheck, readPayment } from './check-route.ts'
import { readRouting } from './merchant-routing.ts'
import { listRules, replaceRules, rulesVersion } from './routing-rules.ts'

const text = Type.String({ maxLength: 64 })
const amount = Type.Integer({ minimum: 0 })

const conditions = {
  connector: described(text, 'The name of the connector.'),
  payment_type: described(nullable(Type.Enum([...payment_types])), 'Null: any.'),
  brand: described(nullable(text), 'Null: any.'),
  currency: described(nullable(text), 'Null: any.'),
  min_amount: described(nullable(amount), 'From this amount of the currency; null: from 0.'),
  max_amount: described(nullable(amount), 'The maximum amount in this currency; null: no limit.'),
  country: described(nullable(text), 'The country of the card; null: any.'),
}
const Rule = named(
  'RoutingRule',
  Type.Object(conditions),
  'A rule that selects the connector of a payment.',
)

const Routing = named(
  'Routing',
  Type.Object({
    merchant_id: described(Id, 'The owner of the rules; the installation has the nil UUID.'),
    rules: described(Type.Array(Rule), 'Its own rules. The first that matches decides.'),
    version: described(Type.String(), 'The version that a change must name.'),
    used: described(
      textOf(null, ['merchant', 'installation', 'order']),
      "The deciding rules: its own, the installation's, or the order of creation.",
    ),
    used_rules: described(Type.Array(Rule), 'The rules that decide, in their order.'),
    check: described(Type.Array(RouteCheck), 'The route of the payment in the query.'),
  }),
  'The routes of live payments.',
)
const UpdateRouting = named(
  'UpdateRouting',
  Type.Object({
    version: described(Type.String({ maxLength: 64 }), 'That of the rules that are replaced.'),
    rules: described(Type.Array(Rule, { maxItems: 100 }), 'All rules, in their new order.'),
  }),
  'The rules that replace the rules of the given version.',
)

const Query = Type.Object({
  store_id: described(Type.Optional(Id), 'With the settings of this store.'),
  ...CheckedPayment,
})
const params = Type.Object({
  merchant_id: described(Id, 'The merchant; the nil UUID for the installation.'),
})
const path = '/operator/routing/:merchant_id'

/** Rules of live payments: for operators as `kaikei routes`, for merchants to look at their own. */
export const routingRoutes: readonly Route[] = [
  operation({
    at: `GET ${path}`,
    id: 'getOperatorRouting',
    client: 'operator.getRouting',
    tag: 'operator',
    summary: 'Get the routing rules of a merchant',
    right: 'operator',
    params,
    query: Query,
    responses: { 200: Routing },
    handle: ({ service, params, query }) => viewRouting(service, params.merchant_id, query),
  }),

  operation({
    at: `PATCH ${path}`,
    id: 'updateOperatorRouting',
    client: 'operator.updateRouting',
    tag: 'operator',
    summary: 'Update the routing rules',
    right: 'operator',
    params,
    body: UpdateRouting,
    responses: { 200: Routing },
    handle: async ({ service, params, body }) => {
      const { merchant_id } = params
      await requireMerchant(service, merchant_id)
      await answeringInput(replaceRules(service, merchant_id, body.version, body.rules))
      return viewRouting(service, merchant_id, {})
    },
  }),

  operation({
    at: 'GET /routing',
    id: 'getRouting',
    client: 'merchant.getRouting',
    tag: 'merchant',
    summary: 'Get the routing rules',
    text: 'The rules that select the connector of a live payment, in their order.',
    right: 'settings',
    access: { level: 'merchant' },
    query: Query,
    responses: { 200: Routing },
    handle: async ({ service, caller, query }) => {
      const { merchant_id } = caller
      if (query.store_id) await requireStore(service, caller, query.store_id)
      const routing = await viewRouting(service, merchant_id, query)
      return routing.used === 'merchant' ? routing : withoutOthersRules(routing)
    },
  }),
]

async function requireMerchant({ db }: Service, merchant_id: string): Promise<void> {
  if (merchant_id === installation_id) return
  const merchant = db.selectFrom('merchants').select('id').where('id', '=', merchant_id)
  if (!(await merchant.executeTakeFirst())) fail('NOT_FOUND')
}

async function viewRouting(
  service: Service,
  merchant_id: string,
  query: Static<typeof Query>,
): Promise<Static<typeof Routing>> {
  await requireMerchant(service, merchant_id)
  const { store_id = null } = query
  const own = await listRules(service, merchant_id)
  const routing = await readRouting(service, { merchant_id, store_id })
  const payment = readPayment(query)
  return {
    merchant_id,
    rules: own.map(viewRule),
    version: rulesVersion(own),
    used: usedRules(merchant_id, routing.rules_of),
    used_rules: routing.rules.map(viewRule),
    check: payment ? checkRoute(service, routing, payment) : [],
  }
}

/** Rules of the installation are the operator's: a merchant sees where payments go, as in a timeline. */
function withoutOthersRules(routing: Static<typeof Routing>): Static<typeof Routing> {
  const taken = routing.check.filter(({ outcome }) => ['takes', 'falls_back'].includes(outcome))
  return { ...routing, used_rules: [], check: taken }
}

function usedRules(merchant_id: string, rules_of: 'merchant' | 'installation' | null) {
  if (rules_of === null) return 'order'
  return merchant_id === installation_id ? 'installation' : rules_of
}

function viewRule(rule: Static<typeof Rule>): Static<typeof Rule> {
  const { connector, payment_type, brand, currency, min_amount, max_amount, country } = rule
  return { connector, payment_type, brand, currency, min_amount, max_amount, country }
}
