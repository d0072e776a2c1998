import { PlainError } from '../../core/api/plain-error.ts'
import type { RoutingRule } from '../../payments/routing/merchant-routing.ts'
import { listRules, removeRule, setRule } from '../../payments/routing/routing-rules.ts'
import type { Service } from '../../service.ts'
import type { Run } from '../command-table.ts'
import { showList } from '../line/show.ts'
import { findMerchant, withService } from '../line/with-service.ts'

/** Null: the rules of the installation. */
async function merchantOf(service: Service, given: string | undefined): Promise<string | null> {
  return given === undefined ? null : findMerchant(service, given)
}

function amountsText({ min_amount, max_amount }: RoutingRule): string {
  if (min_amount === null && max_amount === null) return ''
  return `${min_amount ?? 0} to ${max_amount ?? 'any'}`
}

export const listRoutes: Run<'routes list'> = async (context, _, options) => {
  const rules = await withService(context.config, async ({ service }) =>
    listRules(service, await merchantOf(service, options.merchant)),
  )
  showList(
    context.terminal,
    rules,
    [
      { title: 'POSITION', text: (one) => String(one.position), align: 'right' },
      { title: 'CONNECTOR', text: (one) => one.connector },
      { title: 'PAYMENT TYPE', text: (one) => one.payment_type ?? '' },
      { title: 'BRAND', text: (one) => one.brand ?? '' },
      { title: 'CURRENCY', text: (one) => one.currency ?? '' },
      { title: 'AMOUNT', text: amountsText },
      { title: 'COUNTRY', text: (one) => one.country ?? '' },
    ],
    options,
  )
  return 0
}

export const setRoute: Run<'routes set'> = async (context, args, options) => {
  const [position = '', connector = ''] = args
  const rule = {
    position: Number(position),
    connector,
    payment_type: options['payment-type'] ?? null,
    brand: options.brand ?? null,
    currency: options.currency?.toUpperCase() ?? null,
    min_amount: readAmount('min-amount', options['min-amount']),
    max_amount: readAmount('max-amount', options['max-amount']),
    country: options.country?.toUpperCase() ?? null,
  }
  await withService(context.config, async ({ service }) =>
    setRule(service, await merchantOf(service, options.merchant), rule),
  )
  context.terminal.write(`Rule ${rule.position} now selects ${connector}.\n`)
  return 0
}

function readAmount(name: string, given: string | undefined): number | null {
  if (given === undefined) return null
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw new PlainError(`--${name} is a whole number in the smallest unit of the currency.`)
}

export const removeRoute: Run<'routes remove'> = async (context, [position = ''], options) => {
  await withService(context.config, async ({ service }) =>
    removeRule(service, await merchantOf(service, options.merchant), Number(position)),
  )
  context.terminal.write(`Removed rule ${position}.\n`)
  return 0
}
