/**
 * How the page or the app of a brand is called. `http_get_mobile` behaves as `http_get`, but the page is for
 * mobile browsers.
 */
export const call_methods = [
  'http_get',
  'http_get_mobile',
  'http_post',
  'sdk',
  'web',
  'app',
] as const
export type CallMethod = (typeof call_methods)[number]
