export const second_ms = 1000
export const minute_ms = 60 * second_ms
export const hour_ms = 60 * minute_ms
export const day_ms = 24 * hour_ms
