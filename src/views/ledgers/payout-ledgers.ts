import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { oneMode, scopeOf } from '../../accounts/stores/list-scope.ts'
import { inTransfer, nextLedgers } from '../../commerce/transfers/next-transfer.ts'
import { PartName } from '../../commerce/transfers/next-transfer-view.ts'
import { partOf } from '../../commerce/transfers/open-ledgers.ts'
import { getTransfer } from '../../commerce/transfers/transfer.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described, extended } from '../../core/api/described-schemas.ts'
import { Id, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import { type Page, type PageQuery, readPage, viewPage } from '../../store/sql/reads/page.ts'
import { type Ledger, LedgerView, ledgersOf, viewLedger } from './ledger.ts'

const part = described(Type.Optional(PartName), 'Only items of this part of the payout.')

export const PartQuery = Type.Object({ ...PageParameters, part })
type PartQuery = Static<typeof PartQuery>
export const PayoutLinesQuery = Type.Object({
  ...PageParameters,
  transfer_id: described(Id, 'The transfer whose ledger transactions are listed.'),
  part,
})
export const NextPartQuery = Type.Object({
  ...PageParameters,
  part,
  currency: described(
    Type.Optional(Type.String({ format: 'currency' })),
    'The currency of the payout; by default the first of the ledger.',
  ),
  mode: filters.mode,
})

const PayoutLine = extended(
  'PayoutLine',
  LedgerView,
  {
    customer_name: described(
      nullable(Type.String()),
      'The name on the card of its charge; null without one.',
    ),
    customer_email: described(
      nullable(Type.String()),
      'The e-mail of its charge; null without one.',
    ),
  },
  'A ledger transaction of a payout, with the customer of its charge.',
)
export const PayoutLinePage = PageOf(PayoutLine)

/** The ledger transactions of a payout, given as a query of their ids and kinds, or those of one part. */
async function listPartLedgers(
  service: Service,
  caller: Caller,
  paid: RawBuilder<unknown>,
  query: PageQuery & { part?: Static<typeof PartName> },
) {
  const of_part = query.part
    ? sql`where ${partOf(caller.merchant_id, 'paid.kind', 'paid.id')} = ${query.part}`
    : sql``
  const ids = sql<string>`(select paid.id from (${paid}) as paid ${of_part})`
  const page = await readPage<Ledger>(ledgersOf(service, caller).where('id', 'in', ids), query)
  const customers = await customersOf(service, caller, page)
  return viewPage(page, (ledger) => {
    const { cardholder = null, email = null } = customers.get(ledger.charge_id) ?? {}
    return { ...viewLedger(ledger), customer_name: cardholder, customer_email: email }
  })
}

async function customersOf({ db }: Service, { merchant_id }: Caller, { items }: Page<Ledger>) {
  const ids = [...new Set(items.flatMap(({ charge_id }) => charge_id ?? []))]
  const charges = db
    .selectFrom('charges')
    .select(['id', 'cardholder', 'email'])
    .where('merchant_id', '=', merchant_id)
    .where('id', 'in', ids)
  const found = ids.length === 0 ? [] : await charges.execute()
  return new Map<string | null, (typeof found)[number]>(found.map((one) => [one.id, one]))
}

/** The ledger transactions that a transfer pays, or would have paid. */
export async function listTransferLines(
  service: Service,
  caller: Caller,
  transfer_id: string,
  query: PartQuery,
) {
  const transfer = await getTransfer(service, caller, transfer_id)
  return listPartLedgers(service, caller, inTransfer(transfer), query)
}

/** The sums of `GET /transfers/next` in a currency. */
export async function listNextLedgers(
  service: Service,
  caller: Caller,
  query: Static<typeof NextPartQuery>,
) {
  const scope = await scopeOf(service, caller, query)
  const of = { merchant_id: scope.merchant_id, mode: oneMode(scope) }
  const paid = await nextLedgers(service, of, query.currency?.toUpperCase() ?? null)
  if (!paid) return { items: [], has_more: false }
  return listPartLedgers(service, caller, paid, query)
}
