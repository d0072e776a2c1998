import { sql } from 'kysely'
import { listConnectors, testConnector } from '../../accounts/connectors/connectors-store.ts'
import { factsOfKind } from '../../connectors/facts-of-connectors.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { brandsOf } from '../../methods/method-facts.ts'
import { offerOf } from '../../payments/routing/live-offer.ts'
import { storeRules } from '../../payments/store-rules/store-rules.ts'
import type { Service } from '../../service.ts'
import type { Finding } from '../../store/tables/finding.ts'

/**
 * The maximum number of merchants and stores that are checked; a larger installation has been live for
 * long.
 */
const max_merchants = 100
const max_stores = 200

interface Merchant {
  readonly id: string
  readonly name: string
  readonly live_tokens: number
  readonly tokens_without_domain: number
  readonly tokens_without_end: number
  readonly webhooks: number
  readonly plain_webhooks: string[]
  readonly bank_accounts: number
  readonly users_without_totp: number
}

/** Requirements of connectors and merchants before real money: one finding for each line of the checklist. */
export async function liveMerchants(service: Service): Promise<Finding[]> {
  const merchants = await readMerchants(service)
  const each = (text: (merchant: Merchant) => string | false) =>
    merchants.flatMap((merchant) => {
      const found = text(merchant)
      return found ? [`${merchant.name} (${merchant.id}) ${found}`] : []
    })
  const none = merchants.length === 0
  return [
    ...(await connectors(service)),
    {
      check: 'merchants are verified',
      faults: none ? ['None is. Run "kaikei merchants verify MERCHANT".'] : [],
      warnings: await demo(service),
    },
    {
      check: 'verified merchants have tokens of live mode',
      faults: each(
        (one) => one.live_tokens === 0 && 'has none: "kaikei app-tokens create --mode live".',
      ),
      warnings: [
        ...each(
          (one) => one.tokens_without_domain > 0 && 'has one without a domain: no page can use it.',
        ),
        ...each((one) => one.tokens_without_end > 0 && 'has one that never expires: use --days.'),
      ],
    },
    {
      check: 'webhooks have https addresses',
      faults: each(
        ({ plain_webhooks: [url] }) => url !== undefined && `sends events in the clear to ${url}.`,
      ),
      warnings: each((one) => one.webhooks === 0 && 'has no webhook: it must poll for outcomes.'),
    },
    {
      check: 'verified merchants have a bank account',
      faults: each((one) => one.bank_accounts === 0 && 'has none: a live transfer needs one.'),
    },
    {
      check: 'users of verified merchants have an authenticator app',
      faults: [],
      warnings: each((one) => one.users_without_totp > 0 && 'has users who see test mode only.'),
    },
    {
      check: 'every payment method that is switched on has a connector',
      ...(await covered(service)),
    },
  ]
}

async function readMerchants({ db }: Service): Promise<Merchant[]> {
  const { rows } = await sql<Merchant>`
    select m.id, m.name, t.*, w.*,
      (select count(*)::integer from bank_accounts b
        where b.merchant_id = m.id and b.deleted_on is null) as bank_accounts,
      (select count(*)::integer from users u where u.merchant_id = m.id
        and u.disabled_on is null and u.totp_secret is null) as users_without_totp
    from merchants m cross join lateral (
      select count(*)::integer as live_tokens,
        (count(*) filter (where domains = '{}'))::integer as tokens_without_domain,
        (count(*) filter (where due_on is null))::integer as tokens_without_end
      from app_tokens a where a.merchant_id = m.id and a.deleted_on is null and a.mode = 'live'
        and (a.due_on is null or a.due_on > now())) as t
    cross join lateral (
      select count(*)::integer as webhooks,
        coalesce(array_agg(url) filter (where url not ilike 'https://%'), '{}') as plain_webhooks
      from webhooks w where w.merchant_id = m.id and w.active and w.deleted_on is null) as w
    where m.verified and not m.demo order by m.id limit ${max_merchants}`.execute(db)
  return rows
}

async function demo({ db }: Service): Promise<string[]> {
  const found = await db.selectFrom('merchants').select('id').where('demo', '=', true).execute()
  const text =
    'is the demo merchant, whose credentials are in a file. Begin live with a new database.'
  return found.map(({ id }) => `${id} ${text}`)
}

/** Every one that is enabled answers a call without effect, with each of its settings. */
async function connectors(service: Service): Promise<Finding[]> {
  const enabled = (await listConnectors(service)).filter(({ disabled_on }) => disabled_on === null)
  const usable = enabled.filter(({ has_settings, accounts }) => has_settings || accounts > 0)
  const faults =
    usable.length > 0
      ? []
      : ['None takes payments. Run "kaikei connectors add", or use the console.']
  const unset = enabled.filter((one) => !usable.includes(one))
  const own = await service.db
    .selectFrom('provider_credentials')
    .select(['provider', 'merchant_id', 'store_id'])
    .where('provider', 'in', ['', ...usable.map(({ name }) => name)])
    .orderBy('id')
    .limit(max_merchants)
    .execute()
  const tries = [
    ...usable.flatMap(({ name, has_settings }) => (has_settings ? [{ name, owner: null }] : [])),
    ...own.map(({ provider: name, ...owner }) => ({ name, owner })),
  ]
  const failed: string[] = []
  for (const { name, owner } of tries) {
    const tested = await testConnector(service, name, owner)
    const whose = owner ? ` for ${owner.store_id ?? owner.merchant_id}` : ''
    if (!tested.is_ok) failed.push(`${name}${whose}: ${tested.problem}`)
  }
  const unproven = usable.filter(({ kind }) => factsOfKind(kind)?.caution)
  return [
    {
      check: 'connectors are configured',
      faults,
      warnings: [
        ...unset.map(({ name }) => `${name} has no settings, and is passed over.`),
        ...unproven.map(({ name }) => `${name} is shape-checked only: run the kit with a sandbox.`),
      ],
    },
    { check: 'connectors answer a test call', faults: failed },
  ]
}

/** A payment of a type that no connector takes ends with error 504; checkout does not offer it. */
async function covered(service: Service): Promise<Pick<Finding, 'faults' | 'warnings'>> {
  const { rows } = await sql<{ merchant_id: string; store_id: string; name: string }>`
    select s.merchant_id, s.id as store_id, s.name from stores s
    join merchants m on m.id = s.merchant_id
    where m.verified and not m.demo and s.deleted_on is null
    order by s.id limit ${max_stores}`.execute(service.db)
  const faults: string[] = []
  const warnings: string[] = []
  for (const { name, ...store } of rows) {
    const { takes } = await storeRules(service, store.merchant_id, store.store_id)
    const offer = await offerOf(service, store, 'live')
    const wanted = payment_types.filter((type) => takes[type])
    const missing = wanted.filter((payment_type) =>
      brandsOf(payment_type).every((brand) => offer({ payment_type, brand }) === null),
    )
    const where = `The store ${name} (${store.store_id})`
    if (missing.length === wanted.length) {
      faults.push(`${where}: no connector takes any payment. Look at "kaikei routes list".`)
    } else if (missing.length > 0) {
      warnings.push(
        `${where}: no connector takes ${missing.join(', ')}. Add one, or switch it off.`,
      )
    }
  }
  return { faults, warnings }
}
