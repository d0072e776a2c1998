/** Names and addresses of hosts, after parsing: lower case, and punycode for other scripts. */
const plain_host = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/

/**
 * An http or https URL with a plain host; null: it is none. Parsers also accept `;`, `,` and `'` in
 * a host, which would end a directive where the origin becomes part of a header.
 */
export function readWebAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const is_web = url.protocol === 'https:' || url.protocol === 'http:'
  return is_web && plain_host.test(url.hostname) ? url : null
}
