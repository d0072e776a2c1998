import {
  type Fault,
  metadataOf,
  newId,
  type Params,
  type Recorded,
  refuse,
} from './stripe-double-parts.ts'

interface Cash {
  readonly id: string
  readonly type: 'funded' | 'return_initiated'
  readonly net_amount: number
  readonly created: number
}

interface DoubleCustomer {
  readonly id: string
  readonly metadata: Record<string, string>
  /** The newest first. */
  readonly cash: Cash[]
  /** What has been applied to payments, and was not taken back. */
  applied: number
}

const zengin = {
  account_holder_name: 'ストライプジャパン（カ',
  account_number: '1234567',
  account_type: 'futsu',
  bank_code: '0009',
  bank_name: '三井住友銀行',
  branch_code: '904',
  branch_name: '東京第一',
}
const options = 'payment_method_options'

/** Vouchers of convenience stores, and customers with accounts for transfers. */
export function newDeposits(faults: ReadonlySet<Fault>, now: () => number) {
  const customers = new Map<string, DoubleCustomer>()
  const seconds = () => Math.floor(now() / 1000)

  function find(id: string): DoubleCustomer {
    return customers.get(id) ?? refuse(`No such customer: '${id}'`, 'resource_missing')
  }

  function checkVoucher(one: Recorded, params: Params): void {
    const ends = Number(params[`${options}[konbini][expires_at]`])
    const is_in_time = ends >= seconds() + 1800 && ends <= seconds() + 60 * 86_400
    if (!is_in_time) refuse('The voucher ends too soon or too late.')
    const { 'payment_method_data[billing_details][name]': name } = params
    if (!name || !one.email) refuse('A voucher needs a name and an e-mail address.')
    if (one.amount < 120 || one.amount > 300_000) refuse('The amount is not of a voucher.')
  }

  /** A payment is confirmed: from now on the customer can pay. */
  function confirm(one: Recorded, params: Params): void {
    if (one.currency !== 'jpy') refuse('Only yen are taken.')
    if (one.types[0] === 'konbini') checkVoucher(one, params)
    else {
      find(one.customer ?? '')
      const type = params[`${options}[customer_balance][bank_transfer][type]`]
      if (type !== 'jp_bank_transfer') refuse('The type of the transfer is missing.')
    }
    one.status = 'requires_action'
  }

  function nextAction(one: Recorded): object {
    if (one.types[0] === 'konbini') {
      const codes = { payment_code: '123456-78901', confirmation_number: '09012345678' }
      const shown = faults.has('hides_codes') ? null : codes
      const stores = { familymart: shown, lawson: shown, ministop: shown, seicomart: shown }
      const konbini_display_details = { expires_at: 0, hosted_voucher_url: null, stores }
      return { type: 'konbini_display_details', konbini_display_details }
    }
    const address = { type: 'zengin', zengin, supported_networks: ['zengin'] }
    const financial_addresses = faults.has('hides_account') ? [] : [address]
    const shown = { type: 'jp_bank_transfer', amount_remaining: one.amount - one.received }
    return {
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions: { ...shown, financial_addresses },
    }
  }

  function add(customer: DoubleCustomer, type: Cash['type'], net_amount: number): void {
    customer.cash.unshift({ id: newId('ccsbtxn'), type, net_amount, created: seconds() })
  }

  const available = ({ cash, applied }: DoubleCustomer) =>
    cash.reduce((sum, { net_amount }) => sum + net_amount, 0) - applied

  /** Money arrives. True: the payment is paid by it. */
  function arrive(one: Recorded, amount: number): boolean {
    const is_open = one.status === 'requires_action'
    if (one.types[0] === 'konbini') {
      if (amount !== one.amount) throw new Error('A convenience store collects the exact amount.')
      return is_open && !faults.has('loses_deposits')
    }
    const customer = find(one.customer ?? '')
    if (!faults.has('loses_deposits')) add(customer, 'funded', amount)
    if (!is_open) return false
    const arrived = customer.cash.reduce((sum, { net_amount }) => sum + net_amount, 0)
    customer.applied = Math.min(arrived, one.amount)
    return customer.applied === one.amount
  }

  return {
    customers,
    confirm,
    nextAction,
    arrive,
    /** A payment was canceled: what had arrived is the customer's again. */
    release: ({ customer }: Recorded) => {
      if (customer) find(customer).applied = 0
    },
    /** Money of a customer goes back to their bank. */
    sendBack: (params: Params, amount: number): void => {
      const customer = find(params.customer ?? '')
      if (params.currency !== 'jpy') refuse('The currency is missing.')
      if (amount > available(customer)) refuse('The customer has less than that.')
      add(customer, 'return_initiated', -amount)
    },
    acts: {
      create_customer: (params: Params) => {
        const mode = params['cash_balance[settings][reconciliation_mode]']
        if (mode !== 'automatic') refuse('Money would not be applied.')
        const id = newId('cus')
        const metadata = metadataOf(params)
        customers.set(id, { id, metadata, cash: [], applied: 0 })
        return { id, object: 'customer', metadata }
      },
      get_customer: (_: Params, id: string) => {
        const { metadata } = find(id)
        return { id, object: 'customer', metadata }
      },
      update_customer: (params: Params, id: string) => {
        const { metadata } = find(id)
        Object.assign(metadata, metadataOf(params))
        return { id, object: 'customer', metadata }
      },
      list_cash: (_: Params, id: string) => {
        const object = 'customer_cash_balance_transaction'
        const bank_transfer = { jp_bank_transfer: { sender_name: 'ヤマダ タロウ' } }
        const renamed = () => (faults.has('renames_deposits') ? { id: newId('ccsbtxn') } : {})
        const data = find(id).cash.map((one) => ({
          ...{ object, ...one, customer: id, currency: 'jpy', ...renamed() },
          ...(one.type === 'funded' ? { funded: { bank_transfer } } : {}),
        }))
        const url = `/v1/customers/${id}/cash_balance_transactions`
        return { object: 'list', url, has_more: false, data }
      },
    },
  }
}
