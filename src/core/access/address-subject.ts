/** One subject per address; an IPv6 customer can send from a whole /64 network. */
export function addressSubject(address: string): string {
  if (!address.includes(':')) return `address ${address}`
  if (address.startsWith('::ffff:')) return `address ${address.slice(7)}`
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return `address ${[...left, ...Array(zeros).fill('0'), ...right].slice(0, 4).join(':')}`
}
