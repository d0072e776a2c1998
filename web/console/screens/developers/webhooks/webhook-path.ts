/** A webhook, and its store; null: it is one of the merchant. */
export interface WebhookPath {
  readonly webhook_id: string
  readonly store_id: string | null
}

export function webhookHref({ webhook_id, store_id }: WebhookPath): string {
  return `/developers/webhooks/${webhook_id}${store_id ? `/${store_id}` : ''}`
}
