import Type, { type Static, type TProperties } from 'typebox'
import {
  described,
  extended,
  named,
  oneBy,
  pascalCase,
  shownAs,
  textOf,
} from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { namesOf } from '../../core/table-names.ts'
import { LedgerEntryView } from '../ledgers/ledger.ts'

/** The source of a timeline entry. */
export const actors = [
  'api',
  'person',
  'customer',
  'rule',
  'provider',
  'worker',
  'ledger',
  'webhook',
] as const
export type Actor = (typeof actors)[number]

const resource_types = [
  'charge',
  'transaction_token',
  'refund',
  'cancel',
  'deposit',
  'dispute',
] as const
export type TimelineResource = (typeof resource_types)[number]

const Text = Type.String()
const Whole = Type.Integer()
const FieldList = Type.Array(Text)
const resource = {
  resource_type: described(textOf(null, resource_types), 'The charge, or the related object.'),
  resource_id: described(Id, 'The id of that resource.'),
}
const code = described(
  nullable(Whole),
  'The code of the error of the payment, such as 311; null without one.',
)
const money = {
  amount: described(nullable(Whole), 'The amount in the smallest unit; null without one.'),
  currency: described(nullable(Text), 'The currency; null without an amount.'),
}

/** The `details` of each kind of entry. */
const details = {
  checkout: {
    checkout_session_id: described(Id, 'The checkout session on whose page the customer paid.'),
    payment_link_id: described(nullable(Id), 'The payment link that led there; null without one.'),
  },
  request: {
    request_id: described(Text, 'The id of the request.'),
    operation: described(nullable(Text), 'The operation of the API; null where there is none.'),
    method: described(Text, 'The HTTP method.'),
    path: described(Text, 'The path, with its ids.'),
    status: described(Whole, 'The HTTP status of the response.'),
    token_id: described(Id, 'The application token, or the user.'),
    idempotency_key: described(nullable(Text), 'The idempotency key; null without one.'),
    error_code: described(nullable(Text), 'The error code of a refused request; otherwise null.'),
    fields: described(FieldList, 'The fields that were refused.'),
  },
  action: {
    ...resource,
    action_id: described(Id, 'The id of the action in the audit log.'),
    action: described(Text, "The user's action: an operation of the API."),
    step: described(Text, 'Whether it began, ended or was refused.'),
    user_id: described(Id, 'The user.'),
  },
  rule: {
    ...resource,
    code,
    error_code: described(nullable(Text), 'The error code of the response; null without one.'),
    message: described(Text, 'The rule or limit.'),
  },
  created: { ...resource, ...money },
  provider_call: {
    ...resource,
    provider: described(Text, 'The payment provider.'),
    operation: described(
      Text,
      'The requested operation: `authorize`, `capture`, `refund` and others.',
    ),
    attempt: described(Whole, 'The number of the attempt.'),
    is_inquiry: described(Type.Boolean(), 'Whether only the outcome was inquired.'),
    outcome: described(nullable(Text), "The provider's response; null before it."),
    code,
    raw_code: described(nullable(Text), "The provider's own code; null without one."),
    raw_message: described(nullable(Text), "The provider's own message; null without one."),
  },
  status_change: {
    ...resource,
    from: described(nullable(Text), 'The previous status; null at creation.'),
    to: described(Text, 'The status after.'),
    code,
  },
  ledger: {
    ledger_id: described(Id, 'The ledger transaction.'),
    ledger_kind: described(Text, 'The recorded action.'),
    dispute_step: described(nullable(Text), 'Its step in a dispute; null without one.'),
    entries: described(Type.Array(LedgerEntryView), 'Its entries.'),
  },
  deposit: {
    deposit_id: described(Id, 'The deposit.'),
    status: described(Text, 'The outcome.'),
    ...money,
    return_reason: described(nullable(Text), 'Why it was returned; otherwise null.'),
  },
  event: {
    ...resource,
    event_id: described(Id, 'The event.'),
    event: described(Text, 'The name of the event.'),
  },
  delivery: {
    event_id: described(Id, 'The event.'),
    event: described(Text, 'The name of the event.'),
    webhook_id: described(Id, 'The webhook.'),
    store_id: described(nullable(Id), 'The store of the webhook; null: all stores.'),
    url: described(
      nullable(Text),
      'The destination address; null for users without permission to read webhooks.',
    ),
    attempt: described(Whole, 'The number of the attempt.'),
    status: described(nullable(Whole), 'The HTTP status of the response; null without one.'),
    error: described(nullable(Text), 'The reason for a missing response; null with a response.'),
    answer: described(
      nullable(Text),
      'The beginning of an unsuccessful response; null otherwise, and without permission for webhooks.',
    ),
  },
} as const satisfies Record<string, TProperties>

export type EntryKind = keyof typeof details
type DetailsOf<Kind extends EntryKind> = {
  [Name in keyof (typeof details)[Kind]]: Static<
    (typeof details)[Kind][Name] extends infer Field extends import('typebox').TSchema
      ? Field
      : never
  >
}

/** An entry of a timeline, before it is written out. */
export type Entry = {
  [Kind in EntryKind]: {
    readonly on: Date
    readonly actor: Actor
    readonly kind: Kind
    readonly title: string
    readonly duration_ms: number | null
    readonly details: DetailsOf<Kind>
  }
}[EntryKind]

/** Kinds in the order in which they follow from each other at the same instant. */
export const kinds_in_order = namesOf(details)

const EntryFields = named(
  'TimelineEntryFields',
  Type.Object({
    on: described(Instant, 'The time.'),
    actor: described(textOf('TimelineActor', actors, 'The source of an entry.'), 'The source.'),
    title: described(Text, 'The description in one sentence.'),
    duration_ms: described(nullable(Type.Number()), 'The duration; null if unknown.'),
  }),
  'The common fields of timeline entries.',
)
const shapes = kinds_in_order.map((kind) => {
  const name = pascalCase(kind)
  return extended(
    `Timeline${name}`,
    EntryFields,
    {
      kind: described(Type.Literal(kind), 'The kind of entry.'),
      details: described(
        named(
          `Timeline${name}Details`,
          Type.Object(details[kind]),
          `The details of the kind \`${kind}\`.`,
        ),
        'The fields of the kind.',
      ),
    },
    `An entry of the kind \`${kind}\`.`,
  )
})
const AnyEntry = shownAs(
  Type.Object({
    ...EntryFields.properties,
    kind: Text,
    details: Type.Unsafe<Entry['details']>({}),
  }),
  named('TimelineEntry', oneBy('kind', shapes), 'Something that happened to a payment.'),
)
export const Timeline = named(
  'Timeline',
  Type.Object({
    items: described(Type.Array(AnyEntry), 'The entries, the oldest first.'),
    has_more: described(Type.Boolean(), 'Whether there are more entries than shown.'),
  }),
  'Everything that happened to a payment, in order.',
)
