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
import {
  type EventName,
  type EventSubject,
  event_names,
  trigger_spellings,
} from '../../events/event-names.ts'
import { CheckoutAttackView } from '../../payments/card-testing/card-attack.ts'
import { ChargeView } from '../../payments/charges/charge.ts'
import { TokenView } from '../../payments/tokens/token.ts'

/** The `data` of events, by their subject. */
const subjects = {
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
} as const satisfies Record<EventSubject, TSchema>

/** A delivery has no store and no mode: its webhook has them. */
const EventFields = named(
  'EventFields',
  Type.Object({
    id: described(Id, 'The id of the event, the same at every attempt of every delivery.'),
    created_on: described(Instant, 'The time.'),
    resource_id: described(Id, 'The resource that it is about.'),
    sequence: Type.Integer({
      description:
        'The number of the event among the events of its resource, from 1. The highest number is the newest.',
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

function shapeOf(subject: EventSubject): TSchema {
  const names = namesOf(event_names).filter((name) => event_names[name].about === subject)
  const spelled = Object.entries(trigger_spellings).filter(([, name]) => names.includes(name))
  const event = Type.Enum([...names, ...spelled.map(([spelling]) => spelling)], {
    description: 'The name of the event.',
  })
  return named(
    `${pascalCase(subject)}Event`,
    allOf(
      EventFields,
      Type.Object({
        event,
        data: described(subjects[subject], 'The resource as it was at that moment.'),
      }),
    ),
    `An event about the kind of resource \`${subject}\`.`,
  )
}

const shapes = new Map(namesOf(subjects).map((subject) => [subject, shapeOf(subject)]))

/** The body of the delivery of an event. */
export function deliveryShape(event: EventName): TSchema {
  return shapes.get(event_names[event].about) as TSchema
}

/** An event of any name; the name determines its data. */
export const AnyEvent = named(
  'Event',
  oneBy('event', [...shapes.values()]),
  'A change of a resource. Its name determines the type of its data.',
)
