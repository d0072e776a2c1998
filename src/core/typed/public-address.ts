import { BlockList, isIP } from 'node:net'

/** Networks that a request made on a merchant's behalf must never reach. */
const closed_networks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Only 2000::/3 of IPv6 is public; every form that embeds an IPv4 address, except 6to4, is outside of
  // it.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

/** One list per family: in a common list the mapped network `::ffff:0:0/96` would be all of IPv4. */
const closed = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const network of closed_networks) {
  const [address = '', prefix] = network.split('/')
  const family = familyOf(address)
  closed[family].addSubnet(address, Number(prefix), family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Whether an address is in the public internet. A text that is no address is not public. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address)
  return isIP(address) !== 0 && !closed[family].check(address, family)
}

const local_names = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)\.?$/i

/**
 * The fault of a webhook's URL, or null. The numeric spellings of an address (`127.1`, `0x7f.1`,
 * `2130706433`) are all the same after parsing. Host names are resolved, and their addresses checked,
 * when the connection is made.
 */
export function webhookUrlFault(text: string, targets: 'any' | 'public'): string | null {
  const url = new URL(text)
  if (url.username || url.password) return 'must not contain a user or password'
  if (url.hash) return 'must not contain a fragment'
  if (targets === 'any') return null
  if (url.protocol !== 'https:') return 'must start with https'
  if (url.port !== '' && url.port !== '8443') return 'must use port 443 or 8443'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const is_public = isIP(host)
    ? isPublicAddress(host)
    : host.includes('.') && !local_names.test(host)
  return is_public ? null : 'must point to a public address'
}
