import { createSocket } from 'node:dgram'
import { type LookupAddress, type LookupOptions, Resolver } from 'node:dns'
import { type AddressInfo, isIPv6 } from 'node:net'

type LookupAll = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A malicious name server: it returns whatever the test says, different each time. */
export interface DnsServer {
  /** Addresses of both families that are returned from now on. */
  response: (name: string) => readonly string[]
  /** Names that were queried, once for each kind of address. */
  readonly asked: string[]
  /** Queries this server and no other, as `dns.lookup` would. */
  readonly lookup: LookupAll
  close(): Promise<void>
}

const header_bytes = 12
const kind_a = 1
const kind_aaaa = 28

/** The question of a query: its name, its kind, and its bytes to be repeated in the response. */
function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = header_bytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString())
    at += 1 + length
  }
  const end = at + 1 + 4
  return {
    name: labels.join('.'),
    kind: query.readUInt16BE(at + 1),
    bytes: query.subarray(header_bytes, end),
  }
}

/** Sixteen or four bytes; `URL` normalizes every spelling. */
function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [front = '', back] = host.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [left, right] = [groups(front), groups(back ?? '')]
  const zeros = back === undefined ? [] : new Array(8 - left.length - right.length).fill('0')
  const all = [...left, ...zeros, ...right].map((group) => group.padStart(4, '0'))
  return Buffer.from(all.join(''), 'hex')
}

/** Not cacheable: a time to live of zero. */
function record(kind: number, address: string): Buffer {
  const data = addressBytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | header_bytes, 0)
  head.writeUInt16BE(kind, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function responseTo(query: Buffer, addresses: readonly string[]): Buffer {
  const { kind, bytes } = readQuestion(query)
  const fitting = addresses.filter((address) => isIPv6(address) === (kind === kind_aaaa))
  const header = Buffer.alloc(header_bytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8580, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(fitting.length, 6)
  return Buffer.concat([header, bytes, ...fitting.map((address) => record(kind, address))])
}

export async function newDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, kind } = readQuestion(query)
    asked.push(`${name} ${kind === kind_a ? 'A' : 'AAAA'}`)
    socket.send(responseTo(query, server.response(name)), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  const resolver = new Resolver({ timeout: 1000, tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])

  const addressesOf = (name: string, family: 4 | 6): Promise<LookupAddress[]> =>
    new Promise((done) => {
      const take = (error: unknown, found: string[]) =>
        done(error ? [] : found.map((address) => ({ address, family })))
      if (family === 4) resolver.resolve4(name, take)
      else resolver.resolve6(name, take)
    })

  const server: DnsServer = {
    response: () => [],
    asked,
    lookup: async (host, _options, callback) => {
      const found = [...(await addressesOf(host, 4)), ...(await addressesOf(host, 6))]
      const error = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      callback(found.length === 0 ? error : null, found)
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  return server
}
