import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterEach, expect, inject, test } from 'vitest'
import { freePort } from '../../../../test/support/fleet/running-process.ts'
import { PrimaryClient } from './primary-client.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server, port = 0): Promise<number> {
  servers.push(server)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Another address of the server of the tests. */
const newForwarder = ({ host, port }: { host?: string; port?: number }) =>
  createServer((socket) => {
    const onward = connect(`${host}/.s.PGSQL.${port}`)
    for (const end of [socket, onward]) end.on('error', () => {})
    socket.pipe(onward).pipe(socket)
  })

test('a host that takes over is found while the lost one does not answer', async () => {
  const lost = createServer(() => {})
  const asked = once(lost, 'connection')
  const server = inject('postgres')
  const [lost_port, port] = [await listen(lost), await freePort()]
  const hosts = [lost_port, port].map((one) => ({ host: '127.0.0.1', port: one }))
  const client = new PrimaryClient({ ...server, hosts })
  const connected = client.connect()
  // No server listens there yet.
  await asked
  await listen(newForwarder(server), port)
  await connected
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(client.port).toBe(port)
  await client.end()
})

test('a session that the server ends as soon as it is ready does not end the process', async () => {
  const server = inject('postgres')
  let sessions = 0
  const ending = createServer((socket) => {
    sessions += 1
    const is_own = sessions === 2
    const onward = connect(`${server.host}/.s.PGSQL.${server.port}`)
    for (const end of [socket, onward]) end.on('error', () => {})
    socket.pipe(onward)
    onward.on('data', (data) => {
      socket.write(data)
      // Z: ready for a query. The first session only asks what the host is.
      if (is_own && data.includes('Z\0\0\0\x05I')) onward.destroy()
    })
    onward.on('close', () => socket.destroy())
  })
  const port = await listen(ending)
  const client = new PrimaryClient({ ...server, hosts: [{ host: '127.0.0.1', port }] })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  await client.connect()
  await ended
  expect(sessions).toBe(2)
})
