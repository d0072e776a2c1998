import type { Metadata } from './metadata.ts'

/** What searches look through, in small letters. */
export function searchText(
  cardholder: string | null,
  email: string | null | undefined,
  last_four: string | null,
  metadata: Metadata,
): string {
  const values = Object.values(metadata).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return [cardholder, email, last_four, ...values].filter(Boolean).join(' ').toLowerCase()
}
