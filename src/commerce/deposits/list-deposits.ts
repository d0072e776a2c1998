import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import {
  idRange,
  type ListScope,
  scope_filters,
  scopeOf,
} from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, filters, PaymentTypeText } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { statesOf } from '../../core/payments/states.ts'
import { typesWhere } from '../../methods/method-facts.ts'
import type { Service } from '../../service.ts'
import { readBoundedList } from '../../store/sql/reads/bounded-list.ts'
import { pageOf } from '../../store/sql/reads/page.ts'

const states = ['expected', ...statesOf('deposit')] as const
const deposit_types = typesWhere(({ deposit }) => deposit !== null)

const StatusNames = Type.Unsafe<string | string[]>({
  type: ['array', 'string'],
  items: { type: 'string', enum: states },
  maxItems: states.length,
  maxLength: 16,
})

export const ListDeposits = Type.Object({
  ...PageParameters,
  ...scope_filters,
  status: described(
    Type.Optional(StatusNames),
    'Only items with this status, several as status[]=a&status[]=b; `expected` are charges that ' +
      'wait for their customer.',
  ),
  payment_type: described(
    Type.Optional(Type.Enum([...deposit_types])),
    'Only items of this payment type.',
  ),
  charge_id: described(Type.Optional(Id), 'Only items of this charge.'),
  from: filters.from,
  to: filters.to,
})
type ListDeposits = Static<typeof ListDeposits>

export const DepositPage = PageOf(
  named(
    'Deposit',
    Type.Object({
      id: described(Id, 'The id of the deposit; of an expected one, that of its charge.'),
      charge_id: common.charge_id,
      store_id: common.store_id,
      mode: common.mode,
      payment_type: described(PaymentTypeText, 'How the customer pays.'),
      status: described(
        textOf('DepositStatus', states, 'The state of past and expected deposits.'),
        'The state: expected, held in suspense, applied to its charge, being returned, ' +
          'returned, or not returnable.',
      ),
      amount: common.amount,
      currency: common.currency,
      amount_formatted: common.amount_formatted,
      applied_amount: described(Type.Integer(), 'The part that pays the charge.'),
      return_amount: described(Type.Integer(), 'The returned amount, including pending returns.'),
      return_reason: described(
        nullable(Type.String()),
        'The reason for the return, such as `too_much` or `late`; otherwise null.',
      ),
      name: described(nullable(Type.String()), 'The name of the sender; null where not known.'),
      email: described(nullable(Type.String()), 'The e-mail of the customer; null without one.'),
      expires_on: described(
        nullable(Instant),
        'The payment deadline of the charge; null: no limit.',
      ),
      created_on: described(
        Instant,
        'The time of arrival; for an expected deposit, the time of the request.',
      ),
    }),
    'Money that arrived for a charge, or is expected.',
  ),
)

interface DepositRow {
  id: string
  charge_id: string
  store_id: string
  mode: string
  payment_type: string
  status: string
  amount: number
  currency: string
  applied_amount: number
  return_amount: number
  return_reason: string | null
  name: string | null
  email: string | null
  expires_on: Date | null
  created_on: Date
}

/**
 * Deposits, and charges that wait for one, in one list; each source returns at most a page. Each status is a
 * source: the index of states has its rows in their order.
 */
export async function listDeposits(service: Service, caller: Caller, query: ListDeposits) {
  const scope = await scopeOf(service, caller, query)
  const statuses = query.status === undefined ? [null, 'expected'] : [query.status].flat()
  const found = await Promise.all(
    [...new Set(statuses)].map((status) =>
      status === 'expected'
        ? readExpected(service, scope, query)
        : readDeposits(service, scope, query, status),
    ),
  )
  const sign = query.cursor_direction === 'desc' ? -1 : 1
  const rows = found.flat().sort((a, b) => (a.id < b.id ? -sign : sign))
  const { items, has_more } = pageOf(rows, query)
  return { items: items.map(viewDeposit), has_more }
}

async function readDeposits(
  service: Service,
  scope: ListScope,
  query: ListDeposits,
  status: string | null,
) {
  const { merchant_id, modes, store_id } = scope
  const { charge_id, payment_type } = query
  const types = payment_type ? [payment_type] : deposit_types
  return readBoundedList<DepositRow>(
    service.db,
    {
      ...idRange(query),
      table: 'deposits',
      key: 'id',
      merchant_id,
      modes,
      where: sql`${status ? sql`t.status = ${status}` : sql`true`}
        ${charge_id ? sql`and t.charge_id = ${charge_id}::uuid` : sql``}`,
      filter: [
        ...(store_id ? [sql`r.store_id = ${store_id}::uuid`] : []),
        ...(payment_type
          ? [
              sql`exists (select from charges c where c.merchant_id = r.merchant_id
                and c.id = r.charge_id and c.payment_type = any(${types}))`,
            ]
          : []),
      ],
    },
    query,
    query.limit + 1,
    (source, order) => sql<DepositRow>`
      select d.id, d.charge_id, d.store_id, d.mode, c.payment_type, d.status, d.amount, d.currency,
        d.applied_amount, d.return_amount, d.return_reason, d.name, c.email, c.expires_on, d.created_on
      from ${source} as d join charges c on c.merchant_id = d.merchant_id and c.id = d.charge_id
      order by d.id ${order}`,
  )
}

/** A charge that waits is due at its expiry: it is found among what is due. */
async function readExpected(service: Service, scope: ListScope, query: ListDeposits) {
  const { merchant_id, modes, store_id } = scope
  const { charge_id, payment_type, from, to } = query
  const types = payment_type ? [payment_type] : deposit_types
  const { from: first, to: end } = idRange({ ...(from ? { from } : {}), ...(to ? { to } : {}) })
  const is_desc = query.cursor_direction === 'desc'
  const { rows } = await sql<DepositRow>`
    select c.id, c.id as charge_id, c.store_id, c.mode, c.payment_type, 'expected' as status,
      c.provider_amount as amount, c.provider_currency as currency, 0 as applied_amount,
      0 as return_amount, null as return_reason, c.cardholder as name, c.email, c.expires_on,
      c.created_on
    from (select merchant_id, id from charges_due where merchant_id = ${merchant_id}
        and mode = any(${[...modes]})
        ${charge_id ? sql`and id = ${charge_id}::uuid` : sql``}
        ${first ? sql`and id >= ${first}::uuid` : sql``} ${end ? sql`and id < ${end}::uuid` : sql``}
        ${query.cursor ? sql`and id ${is_desc ? sql`<` : sql`>`} ${query.cursor}::uuid` : sql``}
        order by merchant_id ${is_desc ? sql`desc` : sql`asc`}, id ${is_desc ? sql`desc` : sql`asc`}
        limit ${sql.lit(max_due)}) as due
    join charges c on c.merchant_id = due.merchant_id and c.id = due.id
    where c.status = 'awaiting' and c.payment_type = any(${types})
      ${store_id ? sql`and c.store_id = ${store_id}::uuid` : sql``}
    order by c.id ${is_desc ? sql`desc` : sql`asc`} limit ${query.limit + 1}`.execute(service.db)
  return rows
}

/** How many open charges of a merchant are examined for those that wait for a deposit. */
const max_due = 20_000

function viewDeposit({ created_on, expires_on, ...deposit }: DepositRow) {
  return {
    ...deposit,
    amount_formatted: formatAmount(deposit.amount, deposit.currency),
    expires_on: expires_on?.toISOString() ?? null,
    created_on: created_on.toISOString(),
  }
}
