import type { Step } from './load.ts'

/** A store with the application tokens that may act for it. */
export interface Shop {
  store_id: string
  /** Each is used as the header value. */
  credentials: string[]
  /** Test charges that the merchant's quota still allows today. */
  charges_left: number
  /** Requests sent so far. */
  turn: number
}

/** The fields of a stored charge that the load reads. */
export interface StoredCharge {
  store_id: string
  id: string
  email: string
  phone: string
  order_number: string
  created_on: string
}

/** A token can be charged for five minutes after its creation. */
const token_life_ms = 270_000
/** An older one is not counted: creating and charging all the others takes time. */
const young_ms = 30_000
/** One charge in this number is polled until it is settled. */
const watched_part = 20

const card = JSON.stringify({
  cardholder: 'Taro Yamada',
  // Live mode refuses the numbers of test cards.
  card_number: process.env.BENCH_CARD ?? '4242424242424242',
  exp_month: '12',
  exp_year: '2035',
  cvv: '123',
})
const money = '"amount":1000,"currency":"JPY"'

function post(path: string, text: string, credential: string, more = ''): string {
  const type = 'Content-Type: application/json\r\n'
  const head = `Host: bench\r\nAuthorization: ${credential}\r\n${more}`
  const length = `Content-Length: ${Buffer.byteLength(text)}\r\n`
  return `POST ${path} HTTP/1.1\r\n${head}${type}${length}\r\n${text}`
}

function get(path: string, credential: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${credential}\r\n\r\n`
}

function idIn(body: string): string {
  const at = body.indexOf('"id":"') + 6
  return body.slice(at, at + 36)
}

interface CreatedToken {
  id: string
  shop: Shop
  created_ms: number
}

/** The requests of every scenario, and the tokens that wait to be charged. */
export function newRequests() {
  const made: CreatedToken[] = []
  let shops: Shop[] = []
  let stored: { charge: StoredCharge; shop: Shop }[] = []
  let shop_turn = 0
  let stored_turn = 0
  let mixed_turn = 0
  let charges = 0

  /** Requests rotate over the shops and over the credentials of each, so that none reaches a rate limit. */
  function credentialOf(shop: Shop): string {
    shop.turn += 1
    return shop.credentials[shop.turn % shop.credentials.length] ?? ''
  }

  function nextShop(): Shop | null {
    for (let tried = 0; tried < shops.length; tried += 1) {
      shop_turn = (shop_turn + 1) % shops.length
      const shop = shops[shop_turn]
      if (shop && shop.charges_left > 0) return shop
    }
    return null
  }

  /** Page sizes vary, because each exact address may be requested only twice a second. */
  const pageSize = ({ turn, credentials }: Shop) => 10 + (Math.floor(turn / credentials.length) % 4)

  function takeToken(): CreatedToken | null {
    const token = made.pop()
    return token && Date.now() - token.created_ms < token_life_ms ? token : null
  }

  function token(then?: (token: CreatedToken) => Step): Step | null {
    const shop = nextShop()
    if (!shop) return null
    shop.charges_left -= 1
    const text = `{"payment_type":"card","email":"customer${shop_turn}@example.com","data":${card}}`
    return {
      request: post('/tokens', text, credentialOf(shop)),
      answered: (body) => {
        const one = { id: idIn(body), shop, created_ms: Date.now() }
        if (then) return then(one)
        made.push(one)
        return null
      },
    }
  }

  const chargeText = (token_id: string) =>
    `{"transaction_token_id":"${token_id}",${money},"metadata":{"order":"B-${charges}"}}`

  function charge({ id, shop }: CreatedToken, more = ''): Step {
    charges += 1
    return { request: post('/charges', chargeText(id), credentialOf(shop), more) }
  }

  /** Polls a charge as a client does, until it is settled. */
  function watch(shop: Shop, charge_id: string): Step {
    const path = `/stores/${shop.store_id}/charges/${charge_id}?polling=true`
    return {
      request: get(path, credentialOf(shop)),
      watched: true,
      answered: (body) => (body.includes('"status":"pending"') ? watch(shop, charge_id) : null),
    }
  }

  const watchedCharge = (token: CreatedToken): Step => ({
    ...charge(token),
    answered: (body) => watch(token.shop, idIn(body)),
  })

  function read(path: (charge: StoredCharge, shop: Shop) => string): Step | null {
    stored_turn = (stored_turn + 1) % Math.max(stored.length, 1)
    const one = stored[stored_turn]
    return one ? { request: get(path(one.charge, one.shop), credentialOf(one.shop)) } : null
  }

  const minutesAround = (created_on: string, minutes: number) =>
    new Date(Date.parse(created_on) + minutes * 60_000).toISOString()

  const kinds = {
    /** The request of the bare servers. */
    bare: () => {
      const text = chargeText(crypto.randomUUID())
      return { request: post('/charges', text, 'Bearer a.b.c') }
    },
    peer: () => {
      const text = 'amount=1000&currency=jpy&source=tok_visa&metadata[order]=A-1'
      const credential = `Basic ${Buffer.from('sk_test_bench:').toString('base64')}`
      const request = post('/v1/charges', text, credential)
      return { request: request.replace('application/json', 'application/x-www-form-urlencoded') }
    },
    me: () => {
      const shop = nextShop()
      return shop && { request: get('/me', credentialOf(shop)) }
    },
    token: () => token(),
    charge: () => {
      const one = takeToken()
      return one && charge(one)
    },
    charge_with_key: () => {
      const one = takeToken()
      return one && charge(one, `Idempotency-Key: ${crypto.randomUUID()}\r\n`)
    },
    some_watched: () => {
      const one = takeToken()
      if (!one) return null
      return charges % watched_part === 0 ? watchedCharge(one) : charge(one)
    },
    watched: () => {
      const one = takeToken()
      return one && watchedCharge(one)
    },
    life: () => token(watchedCharge),
    get: () => read(({ store_id, id }) => `/stores/${store_id}/charges/${id}`),
    list: () => read((_, shop) => `/charges?limit=${pageSize(shop)}`),
    by_email: () => read(({ email }) => `/charges?email=${encodeURIComponent(email)}`),
    by_time: () =>
      read(({ created_on }) => {
        const from = minutesAround(created_on, -10)
        return `/charges?from=${from}&to=${minutesAround(created_on, 10)}`
      }),
    search: () => read(({ order_number }) => `/transaction_history?search=${order_number}`),
    by_status: () =>
      read((_, shop) => `/transaction_history?status=failed&limit=${pageSize(shop)}`),
    /** About one of a thousand charges. */
    by_amount: () =>
      read(() => {
        const amount_from = 120 + 100 * (stored_turn % 150)
        return `/transaction_history?amount_from=${amount_from}&amount_to=${amount_from + 20}`
      }),
    by_phone: () => read(({ phone }) => `/charges?phone=${phone}`),
    by_delivery_event: () =>
      read((_, shop) => `/deliveries?event=refund_finished&limit=${pageSize(shop)}`),
    by_currency: () => read((_, shop) => `/charges?currency=JPY&limit=${pageSize(shop)}`),
    mixed: (): Step | null => {
      mixed_turn = (mixed_turn + 1) % 20
      if (mixed_turn < 10) return kinds.get()
      if (mixed_turn < 14) return kinds.list()
      if (mixed_turn < 17) return kinds.token()
      return kinds.charge() ?? kinds.token()
    },
  } satisfies Record<string, () => Step | null>

  return {
    kinds,
    useShops: (given: Shop[]) => {
      shops = given
      made.length = 0
    },
    useStored: (charges: StoredCharge[]) => {
      const by_id = new Map(shops.map((shop) => [shop.store_id, shop]))
      stored = charges.flatMap((charge) => {
        const shop = by_id.get(charge.store_id)
        return shop ? [{ charge, shop }] : []
      })
    },
    state: () => ({
      tokens: made.filter(({ created_ms }) => Date.now() - created_ms < young_ms).length,
      charges_left: shops.reduce((sum, { charges_left }) => sum + charges_left, 0),
      credentials: shops.reduce((sum, { credentials }) => sum + credentials.length, 0),
    }),
  }
}

export type Kind = keyof ReturnType<typeof newRequests>['kinds']
