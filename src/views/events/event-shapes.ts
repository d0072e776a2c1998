import Type, { type TSchema } from 'typebox'
import { AppTokenRecord } from '../../accounts/app-tokens/app-token.ts'
import { BankAccountView } from '../../accounts/bank-accounts/bank-account.ts'
import { MerchantView } from '../../accounts/merchants/merchant.ts'
import { StoreView } from '../../accounts/stores/store.ts'
import { UserRecord } from '../../accounts/users/user.ts'
import { WebhookRecord } from '../../accounts/webhooks/webhook.ts'
import { CancelView } from '../../commerce/cancels/cancel.ts'
import { CheckoutSessionView } from '../../commerce/checkout/checkout-session.ts'
import { CustomsDeclarationView } from '../../commerce/customs/customs-declaration.ts'
import { BankTransferStatus } from '../../commerce/deposits/post-deposit.ts'
import { DisputeView } from '../../commerce/disputes/dispute.ts'
import { ReconciliationView } from '../../commerce/reconciliation/reconciliation-event.ts'
import { RefundView } from '../../commerce/refunds/refund.ts'
import { SubscriptionView } from '../../commerce/subscriptions/subscription.ts'
import { TransferView } from '../../commerce/transfers/transfer.ts'
import { ModeName } from '../../core/api/common-fields.ts'
import { allOf, described, named, oneBy, pascalCase } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { namesOf } from '../../core/table-names.ts'
import { type EventName, event_names, trigger_spellings } from '../../events/event-names.ts'
import { CheckoutAttackView } from '../../payments/card-testing/card-attack.ts'
import { ChargeView } from '../../payments/charges/charge.ts'
import { TokenView } from '../../payments/tokens/token.ts'

/** The `data` of each kind of event. */
const kinds = {
  token: TokenView,
  charge: ChargeView,
  refund: RefundView,
  cancel: CancelView,
  customs_declaration: CustomsDeclarationView,
  bank_transfer_status: BankTransferStatus,
  dispute: DisputeView,
  subscription: SubscriptionView,
  checkout: CheckoutSessionView,
  checkout_attack: CheckoutAttackView,
  transfer: TransferView,
  reconciliation: ReconciliationView,
  merchant: MerchantView,
  store: StoreView,
  app_token: AppTokenRecord,
  webhook: WebhookRecord,
  bank_account: BankAccountView,
  user: UserRecord,
} as const satisfies Record<string, TSchema>

type Kind = keyof typeof kinds

/** Events whose names do not begin with their kind. */
const other_kinds: Partial<Record<EventName, Kind>> = {
  recurring_token_deleted: 'token',
  checkout_attacked: 'checkout_attack',
  password_changed: 'user',
  totp_enabled: 'user',
  totp_removed: 'user',
  user_updated: 'user',
}

function kindOf(event: EventName): Kind {
  const begins = (kind: string) => event.startsWith(`${kind}_`)
  const kind = other_kinds[event] ?? namesOf(kinds).find(begins)
  if (!kind) throw new Error(`The event ${event} has no data.`)
  return kind
}

/** A delivery has no store and no mode: its webhook has them. */
const EventFields = named(
  'EventFields',
  Type.Object({
    id: described(Id, 'The id of the event, the same at every attempt of every delivery.'),
    created_on: described(Instant, 'The time.'),
    resource_id: described(Id, 'The resource that it is about.'),
    sequence: Type.Integer({
      description:
        'The number of the event among those of its resource, from 1. The highest is the newest.',
    }),
    store_id: Type.Optional(
      described(nullable(Id), 'The store it happened in; null for the merchant. In the feed only.'),
    ),
    mode: Type.Optional(
      described(
        nullable(ModeName),
        'The mode it happened in; null where there is none. In the feed only.',
      ),
    ),
  }),
  'The common fields of events.',
)

function shapeOf(kind: Kind): TSchema {
  const names = namesOf(event_names).filter((name) => kindOf(name) === kind)
  const spelled = Object.entries(trigger_spellings).filter(([, name]) => names.includes(name))
  const event = Type.Enum([...names, ...spelled.map(([spelling]) => spelling)], {
    description: 'The name of the event.',
  })
  return named(
    `${pascalCase(kind)}Event`,
    allOf(
      EventFields,
      Type.Object({
        event,
        data: described(kinds[kind], 'The resource as it was at that moment.'),
      }),
    ),
    `An event about the kind of resource \`${kind}\`.`,
  )
}

const shapes = new Map(namesOf(kinds).map((kind) => [kind, shapeOf(kind)]))

/** The body of the delivery of an event. */
export function deliveryShape(event: EventName): TSchema {
  return shapes.get(kindOf(event)) as TSchema
}

/** An event of any name; the name says what its data is. */
export const AnyEvent = named(
  'Event',
  oneBy('event', [...shapes.values()]),
  'Something that happened. Its name says what its data is.',
)
