import { minute_ms } from '../time/time-units.ts'

/** How long a customer has on a page that was opened for one payment. */
export const page_life_ms = { online: 30 * minute_ms, qr: 30 * minute_ms, three_ds: 15 * minute_ms }
