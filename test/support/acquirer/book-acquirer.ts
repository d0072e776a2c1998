import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import Type from 'typebox'
import { connector_kinds, findKind } from '../../../src/connectors/connectors.ts'
import type { ConnectorKind, ConnectorTest } from '../../../src/providers/connector.ts'
import type { Inquiry, Outcome, Provider } from '../../../src/providers/provider.ts'
import type { Credentials } from '../../../src/providers/provider-operations.ts'

/** The requests to an acquirer, in its own record. */
interface Entry {
  readonly kind: string
  readonly reference: string
  readonly charge_id: string
  readonly account: string
}

/**
 * The outcome of the next authorizations. `lost`: the charge is authorized, but the response is
 * lost.
 */
type Behaviour = Outcome | 'approves' | 'hangs' | 'lost' | 'nonsense'

/**
 * An acquirer with a book of its own, in this process: it is reached over HTTP, and can die and come back. It is not
 * examples/acquirer with switches: its tests look into the book and act between two of its steps.
 */
export interface BookAcquirer {
  readonly url: string
  readonly book: Entry[]
  /** Everything that arrived, inquiries too. */
  readonly seen: string[]
  behaviour: Behaviour
  /** Runs when an authorization has arrived, before it is in the book. */
  onAuthorization: () => unknown
  die(): Promise<void>
  comeBack(): Promise<void>
  taken(charge_id: string): number
}

export async function newBookAcquirer(): Promise<BookAcquirer> {
  const server = createServer(async (incoming, response) => {
    const [, kind = ''] = (incoming.url ?? '').split('/')
    const asked = (await json(incoming).catch(() => null)) as Entry | null
    if (asked) await respond(kind, asked, response)
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo

  async function respond(kind: string, asked: Entry, response: ServerResponse): Promise<void> {
    const { reference, charge_id, account } = asked
    acquirer.seen.push(kind)
    const found = acquirer.book.find((one) => one.reference === reference)
    if (kind === 'inquire') {
      response.end(JSON.stringify(found ? approved : { outcome: 'never_received' }))
      return
    }
    if (kind === 'test') {
      response.end(JSON.stringify({ outcome: account === 'wrong' ? 'refused' : 'approved' }))
      return
    }
    if (kind === 'authorize') await acquirer.onAuthorization()
    const behaviour = kind === 'authorize' ? acquirer.behaviour : 'approves'
    if (behaviour === 'hangs') return
    if (typeof behaviour === 'object') {
      response.end(JSON.stringify(behaviour))
      return
    }
    if (!found) acquirer.book.push({ kind, reference, charge_id, account })
    if (behaviour === 'lost') response.destroy()
    else response.end(behaviour === 'nonsense' ? '{"outcome":"maybe"}' : JSON.stringify(approved))
  }

  const acquirer: BookAcquirer = {
    url: `http://127.0.0.1:${port}`,
    book: [],
    seen: [],
    behaviour: 'approves',
    onAuthorization: () => {},
    die: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
    comeBack: () => listen(port),
    taken: (charge_id) =>
      acquirer.book.filter((one) => one.kind === 'authorize' && one.charge_id === charge_id).length,
  }
  return acquirer
}

const approved = { outcome: 'approved', provider_reference: 'in the book' } as const

/** Rejects with the error of the socket: `ECONNREFUSED` means that nothing was sent. */
function post(url: string, body: object, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', agent: false, ...(signal ? { signal } : {}) })
    call.on('error', reject)
    call.on('response', (response) => json(response).then(resolve, reject))
    call.end(JSON.stringify(body))
  })
}

function openBook(name: string): Provider {
  const send =
    (kind: string) =>
    async (
      operation: Pick<Entry, 'reference' | 'charge_id'> & {
        credentials: { reveal(): Credentials } | null
      },
      limit?: { signal: AbortSignal },
    ): Promise<Outcome> => {
      const { url = '', account = '' } = operation.credentials?.reveal() ?? {}
      const { reference, charge_id } = operation
      try {
        const body = { reference, charge_id, account }
        return (await post(`${url}/${kind}`, body, limit?.signal)) as Outcome
      } catch (error) {
        if ((error as { code?: string }).code !== 'ECONNREFUSED') throw error
        return { outcome: 'not_taken', reason: 'The connection was refused.' }
      }
    }
  return {
    name,
    callback_name: name,
    capabilities: {
      modes: ['live'],
      payment_types: ['card'],
      brands: null,
      currencies: () => ['JPY', 'USD'],
      partial_capture: true,
      multiple_captures: false,
      partial_refund: true,
      refund_window_ms: null,
      void_after_capture: true,
      repeatable: true,
      inquires_by: 'our_reference',
      notifications: false,
      network_transaction_ids: false,
      credentials: true,
    },
    authenticate: async () => ({ outcome: 'approved' }),
    authorize: send('authorize'),
    capture: send('capture'),
    void: send('void'),
    refund: send('refund'),
    returnDeposit: send('return_deposit'),
    declareCustoms: send('declare_customs'),
    deposits: async () => [],
    inquire: send('inquire') as (...given: Parameters<Provider['inquire']>) => Promise<Inquiry>,
    readNotification: () => null,
  }
}

/** A kind of connector that only tests have: it speaks to a `BookAcquirer`. */
const book_kind: ConnectorKind = {
  kind: 'book',
  title: 'An acquirer of the tests',
  settings: Type.Object({
    url: Type.String({ description: 'Where it listens.', pattern: '^http' }),
    account: Type.String({ description: 'The name of the account.' }),
  }),
  open: openBook,
  test: async ({ url = '', account = '' }, signal): Promise<ConnectorTest> => {
    const { outcome } = (await post(`${url}/test`, { account }, signal)) as Outcome
    if (outcome === 'approved') return { is_ok: true, seen: `The account ${account} is open.` }
    return { is_ok: false, problem: 'the acquirer does not know the account' }
  },
}

if (!findKind('book')) (connector_kinds as ConnectorKind[]).push(book_kind)
