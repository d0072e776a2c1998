/**
 * What an operation does beyond its summary. The key is the operation's id without the owner of its
 * path: `listWebhooks` is also `listStoreWebhooks` and `listMerchantStoreWebhooks`.
 */
const texts: Readonly<Record<string, string>> = {
  createCharge:
    'Returns the charge as `pending` at once; the provider is called afterwards. Poll `getCharge` with ' +
    '`polling=true`, or wait for the event `charge_finished`.',
  getCharge:
    'With `polling=true` the response waits up to five seconds while the charge is `pending`.',
  captureCharge:
    'Takes the authorized money, or a part of it, once. What is not captured is released. The charge ' +
    'becomes `successful` a moment later.',
  listCharges:
    'The newest first. A token of a store sees its store in its mode; a token of the merchant sees all.',
  getIssuerToken:
    'Only a charge that is `awaiting` has an issuer token. An online brand has a URL or the token of an ' +
    'SDK; a bank transfer has the account that the customer transfers to.',
  getChargeExpiry: 'For payments at convenience stores and bank transfers.',
  createRefund:
    'Only a `successful` charge can be refunded, in parts until all is returned. Payments at convenience ' +
    'stores and bank transfers cannot.',
  updateChargeRefund: 'The same as `updateRefund`, with the id of the refund in the body.',
  createCancel:
    'Ends a charge that is `awaiting` or `authorized`; authorized money is released. A `successful` ' +
    'charge is refunded instead.',
  listDisputes: 'The newest first. Texts of the evidence are not shown.',
  getDispute:
    'With `polling=true` the response waits up to five seconds while a response is on its way.',
  updateDispute:
    'Texts are merged. With `submit` they go to the bank with all files, and cannot change any more.',
  acceptDispute: 'The amount and the fee stay withdrawn. It cannot be undone.',
  createDisputeFile:
    'PDF, PNG, JPEG or text; at most 5 files of 150 KB. They are stored encrypted.',
  createToken:
    'A token of the type `one_time` can be charged once, within five minutes. A page may create one with ' +
    'the JWT alone, from a domain of the application token.',
  listTokens: 'Recurring and subscription tokens; tokens for one charge are not listed.',
  getToken:
    'With `polling=true` the response waits up to five seconds for checks that are pending.',
  deleteToken:
    'It can no longer be charged. Refused while a subscription that has not ended uses it.',
  renewToken: 'The new token has a new id; the old one is no longer active.',
  startTokenThreeDs:
    'For recurring card tokens. The result is in `data.three_ds` of the token; a challenge has a form at ' +
    '`getTokenThreeDsIssuerToken`.',
  createTokenAlias:
    'The key can be shown to another program, which reads the token with it until it ends.',
  confirmToken:
    'For tokens that were created with `use_confirmation`. After five wrong codes the code no longer works.',
  createCustomerId: 'The same id always gives the same UUID. It goes into the metadata of a token.',
  createSubscription:
    'Returns the subscription as `unverified`. The first payment decides what follows: `current` when it ' +
    'succeeds, `unconfirmed` when it fails.',
  simulateSubscriptionPlan: 'Shows the first five payments. Nothing is created.',
  updateSubscription:
    'Amount, token, schedule and next payment can change while it runs; what is billed and how often ' +
    'only before.',
  cancelSubscription:
    'It ends at once, or right before its next payment with `termination_mode: on_next_payment`.',
  suspendSubscription: 'It can be resumed with `unsuspendSubscription`.',
  unsuspendSubscription:
    'Overdue payments are made at once; the count of failed attempts starts anew.',
  createSubscriptionBatch:
    'Up to 100 at once. Each is created on its own, by the rules of `createSubscription`; the batch shows ' +
    'the result of each.',
  createCheckoutSession:
    'Send the customer to `url`: there they choose how to pay. Wait for the event `checkout_completed`, ' +
    'or poll `getCheckoutSession` with `polling=true`.',
  getCheckoutSession:
    'With `polling=true` the response waits up to five seconds for the status to change.',
  cancelCheckoutSession:
    'It can no longer be paid. Refused while a payment is under way: cancel its charge first.',
  listCheckoutSessions:
    'The newest first. Visits of a payment link without an attempt to pay are deleted after two hours.',
  createPaymentLink:
    'Every visitor gets a checkout session of their own; a use counts when it is paid. A store can have ' +
    '1,000 active ones.',
  createStorePaymentLink:
    'For users, in the mode of the console. An application token of the merchant has no mode.',
  updatePaymentLink: 'Payments that are under way are not affected.',
  createCustomsDeclaration:
    'For successful charges of `we_chat_online`. After a failure the same declaration is sent again and ' +
    'keeps its id.',
  updateCustomsDeclaration: 'Only a `successful` declaration; the customs office cannot change.',
  listTransactionHistory: 'Charges and refunds in one list, the newest first.',
  listChargeLedgers: 'Every posting of the double-entry ledger that the charge caused.',
  getCheckoutInfo:
    'The JWT alone suffices, from any page. Switches have their effective value: that of the store, of ' +
    'its merchant, or the default.',
  getGatewayInfo: 'Only the gateway `alipay_plus_online` is supported. The JWT alone suffices.',
  calculateExchangeRate: 'By the table of rates that also converts charges.',
  createWebhook:
    'A webhook of a store gets the events of its store, one of the merchant those of all stores.',
  updateWebhook: '`active: true` switches on a webhook that the service has switched off.',
  listWebhookDeliveries: 'Every event for this webhook with every attempt, the newest first.',
  redeliverWebhookEvent:
    'The event is sent with the same id and body. With `url` it is sent there once, to test a receiver.',
  pingWebhook: 'The response has the result. It is not retried, and not in the list of deliveries.',
  createWebhookReplay:
    'Events are put into the queue of the webhook in their order. With `preview` they are only counted.',
  changeWebhookSecret:
    'For the time of `overlap` both secrets sign, so that receivers can change over.',
  getChargeTimeline:
    'Requests, rules, calls of the provider, changes of status, postings, events with deliveries, and ' +
    'what users did, the oldest first. `kind` says what is in `details`.',
  getActivity: 'Counted from events, about a second behind. At most 400 days.',
  listRequests:
    'Kept for `REQUEST_LOG_DAYS`: every write, and in a minute at most 300 refused requests and 60 reads.',
  listCustomers: 'A customer is known once a payment has ended. The newest first.',
  listDeposits: 'Charges that wait for their customer are `expected`; the others have arrived.',
  listAllDeliveries:
    'The cursor is the event, and a page has all deliveries of its last event: it may be a bit longer.',
  listLedgerEntries:
    'The cursor is the transaction, and a page has all entries of its last one: it may be a bit longer.',
  createSavedView: 'A user can have 50.',
  listEvents:
    'Pass the id of the last event you processed as `cursor`, with `cursor_direction=asc`: nothing is ' +
    'missed and nothing comes twice. `polling=true` waits for the next one.',
  createStore: 'A merchant can have 100 stores.',
  deleteStore:
    'Its application tokens end. Payments that exist can still be captured and refunded.',
  updateStore:
    'Settings are merged key by key; null resets one, so that the merchant decides again.',
  updateMerchant: 'Settings are merged key by key; null resets one.',
  createVerification:
    'A merchant sends it once; later changes are patches. The operator then verifies it.',
  createAppToken: 'The response is the only one that has the secret.',
  deleteAppToken: 'It ends at once, everywhere.',
  createBankAccount: 'A merchant can have ten. The first one becomes the primary one.',
  listTransfers: 'The newest first. The operator creates transfers and moves them on.',
  logIn:
    'Returns a login token, valid for an hour; in the second half of it every response has a new one. ' +
    'Ten wrong attempts lock the account for 30 minutes.',
  requestPasswordReset: 'The response is the same whether or not there is such a user.',
  confirmTotp: 'From now on logging in needs a code. All sessions end; the response has a new one.',
  completeTestCharge: 'Pays, declines or lets a waiting charge expire, as on its hosted page.',
  createTestDeposit:
    'What happens to another amount than the one requested, `match_amount` of the token or store decides.',
  createTestDispute: 'As the bank of the customer would: the money is withdrawn, and a fee.',
  completeTestDispute: 'The bank decides, whatever the evidence says.',
  advanceTestClock:
    'Payments of subscriptions, captures, expiries and retries of webhooks happen in their order. It ' +
    'cannot be moved back.',
  receiveNotification: 'The body and its signature are those of the provider.',
}

/** The operations that the table names. */
export const operations_with_texts = Object.keys(texts)

/** An operation's id without the owner of its path. */
export function withoutOwner(operation_id: string): string {
  return operation_id.replace(/^([a-z]+)(?:MerchantStore|Merchant|Store)(?=[A-Z])/, '$1')
}

export function textOfOperation(operation_id: string): string | undefined {
  return texts[operation_id] ?? texts[withoutOwner(operation_id)]
}
