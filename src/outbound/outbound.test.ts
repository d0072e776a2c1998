import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DnsServer, newDnsServer } from '../../test/support/receiver/dns-server.ts'
import { newOddReceiver, type OddReceiver } from '../../test/support/receiver/odd-receiver.ts'
import { isPublicAddress, webhookUrlFault } from '../core/typed/public-address.ts'
import { newOutbound, type Outbound } from './outbound.ts'

// The allowed targets of requests, and the refusal of all others. A listener on this machine counts
// connections: whatever is tried, there must be none.
let listener: OddReceiver
let dns: DnsServer
let strict: Outbound
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const refused = { status: null, error: 'The address of the host is not public.' }

beforeEach(async () => {
  listener = await newOddReceiver((socket) => socket.write(ok))
  dns = await newDnsServer()
  strict = newOutbound({ webhook_targets: 'public', host: '93.184.216.34' }, dns.lookup)
  return async () => {
    await strict.close()
    await dns.close()
    await listener.close()
  }
})
afterEach(() => vi.restoreAllMocks())

const send = (url: string, outbound = strict) => outbound.post({ url, headers: {}, body: '{}' })

/** Every spelling of an address that is not public. */
const closed_hosts = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '127.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '017700000001',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '127。0。0。1',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:7f00:1]',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '100.127.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[fc00::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2001:0:1::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[4000::1]',
  '[8000::1]',
  '[100::1]',
]

test.each(closed_hosts)('%s is refused when saved and again at the connection', async (host) => {
  const url = `https://${host}/hook`
  expect(webhookUrlFault(url, 'public')).toBe('must point to a public address')
  const connect = vi.spyOn(net, 'connect')
  for (const scheme of ['http', 'https']) {
    expect(await send(`${scheme}://${host}:${listener.port}/`)).toMatchObject(refused)
  }
  expect(connect).not.toHaveBeenCalled()
  expect(dns.asked).toEqual([])
  expect(listener.sockets).toEqual([])
})

test.each([
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  'a.localhost.',
  'intranet',
  'intranet.',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'router.home.arpa',
  'machine.localdomain',
])('the name %s is refused when saved; at the connection its address is', async (host) => {
  expect(webhookUrlFault(`https://${host}/`, 'public')).toBe('must point to a public address')
  dns.response = () => ['127.0.0.1', '::1']
  expect(await send(`http://${host}:${listener.port}/`)).toMatchObject(refused)
  expect(listener.sockets).toEqual([])
})

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '169.253.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
])('%s beside a closed network is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(['', 'example.com', '127.1', 'fe80::1%eth0', '::1%lo', '1.1.1.1:80', '[::1]'])(
  'an address in another form is not public: "%s"',
  (text) => {
    expect(isPublicAddress(text)).toBe(false)
  },
)

test('the address the service listens on is refused, as literal and behind a name', async () => {
  const own = newOutbound({ webhook_targets: 'public', host: '93.184.216.34' }, dns.lookup)
  dns.response = () => ['93.184.216.34']
  const connect = vi.spyOn(net, 'connect')
  expect(await send('https://93.184.216.34/', own)).toMatchObject(refused)
  expect(connect).not.toHaveBeenCalled()
  expect(await send('https://alias.example.com/', own)).toMatchObject(refused)
  await own.close()
})

test('a name that was public when it was saved and is private now is not connected to', async () => {
  const responses = [['93.184.216.35'], ['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1', '::1']]
  dns.response = () => responses[0] ?? []
  const now_public = await new Promise<boolean>((resolve) =>
    dns.lookup('rebind.example.com', { all: true }, (_error, found) =>
      resolve(found.every(({ address }) => isPublicAddress(address))),
    ),
  )
  expect(now_public).toBe(true)
  for (const addresses of responses.slice(1)) {
    dns.response = () => addresses
    expect(await send(`http://rebind.example.com:${listener.port}/`)).toMatchObject(refused)
  }
  expect(listener.sockets).toEqual([])
  // The same request reaches the listener when it is allowed to: the test can fail.
  const lax = newOutbound({ webhook_targets: 'any', host: '' }, dns.lookup)
  dns.response = () => ['127.0.0.1']
  expect(await send(`http://rebind.example.com:${listener.port}/`, lax)).toMatchObject({
    status: 200,
  })
  expect(listener.sockets).toHaveLength(1)
  await lax.close()
})

test.each([
  ['IPv4 and IPv4', ['93.184.216.35', '127.0.0.1']],
  ['private first', ['127.0.0.1', '93.184.216.35']],
  ['IPv4 and IPv6', ['93.184.216.35', '::1']],
  ['a mapped address', ['93.184.216.35', '::ffff:127.0.0.1']],
  ['a translated address', ['93.184.216.35', '64:ff9b::7f00:1']],
  ['IPv6 only', ['fd00::1']],
])('one private address spoils all answers: %s', async (_, addresses) => {
  dns.response = () => addresses
  expect(await send(`http://mixed.example.com:${listener.port}/`)).toMatchObject(refused)
  expect(listener.sockets).toEqual([])
})

test('a name is resolved once per connection: the checked address is the one that is connected to', async () => {
  const handed: unknown[] = []
  vi.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
    const socket = new net.Socket()
    options.lookup?.(options.host ?? '', { all: true }, (error, addresses) => {
      handed.push(error ? error.constructor.name : addresses)
      const this_far = Object.assign(new Error('this far'), { code: 'ECONNREFUSED' })
      socket.destroy(error ?? this_far)
    })
    return socket
  }) as typeof net.connect)
  let questions = 0
  dns.response = () => {
    questions += 1
    return questions <= 2 ? ['93.184.216.35'] : ['127.0.0.1']
  }
  const first = await send(`http://turns.example.com:${listener.port}/`)
  expect(first.error).toBe('The connection was refused.')
  expect(handed).toEqual([[{ address: '93.184.216.35', family: 4 }]])
  expect(dns.asked).toEqual(['turns.example.com A', 'turns.example.com AAAA'])
  const second = await send(`http://turns.example.com:${listener.port}/`)
  expect(second).toMatchObject(refused)
  expect(handed[1]).toBe('AddressRefused')
})

test('twenty requests while the DNS response changes every moment: none arrives', async () => {
  const turns = [['127.0.0.1'], ['10.0.0.1'], ['::1'], ['192.168.1.1', '93.184.216.35']]
  let asked = 0
  dns.response = () => {
    asked += 1
    return turns[Math.floor(asked / 2) % turns.length] ?? []
  }
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(`http://n${n}.example.com:${listener.port}/`)),
  )
  expect(results.every(({ status }) => status === null)).toBe(true)
  await sleep(50)
  expect(listener.sockets).toEqual([])
})

test('a name that does not exist is a failure with a message', async () => {
  dns.response = () => []
  expect(await send('https://nowhere.example.com/')).toMatchObject({
    status: null,
    error: 'The name of the host was not found.',
  })
})

test.each([301, 302, 303, 307, 308])('%i is the result; it is not followed', async (status) => {
  const target = await newOddReceiver((socket) => socket.write(ok))
  const receiver = await newOddReceiver((socket) =>
    socket.write(
      `HTTP/1.1 ${status} Elsewhere\r\nlocation: http://127.0.0.1:${target.port}/\r\ncontent-length: 0\r\n\r\n`,
    ),
  )
  const lax = newOutbound({ webhook_targets: 'any', host: '' })
  expect(await send(`http://127.0.0.1:${receiver.port}/`, lax)).toMatchObject({ status })
  await sleep(20)
  expect(receiver.sockets).toHaveLength(1)
  expect(target.sockets).toEqual([])
  for (const { close } of [lax, receiver, target]) await close()
})
