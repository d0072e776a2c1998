import { useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { Charge, RefundReason, TransactionToken } from '../../api/call-api.ts'
import { SelectField, TextField, useFieldErrors } from '../../parts/forms/form-fields.tsx'
import { MoneyDialog } from '../../parts/overlays/money-dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { type Sums, stale_with_payment } from './payment-data.ts'
import { payment_words } from './payment-words.ts'

interface Props {
  charge: Charge
  sums: Sums
  token: TransactionToken | undefined
  close: () => void
}

/** Returns a part or all of what is left. */
export function RefundDialog({ charge, sums, token, close }: Props) {
  const words = useWords(payment_words)
  const toast = useToast()
  const [reason, setReason] = useState<RefundReason | ''>('')
  const [message, setMessage] = useState('')
  const { id: charge_id, store_id } = charge
  const { rest, currency } = sums
  const refund = useChange((api, amount: number) => {
    const more = { ...(reason ? { reason } : {}), ...(message ? { message } : {}) }
    return api.refunds.create(charge_id, { amount, currency, ...more }, { store_id })
  }, stale_with_payment)
  const fieldError = useFieldErrors(refund.error)
  const target =
    token?.payment_type === 'card' && token.data.card
      ? words.card_ending(token.data.card.last_four)
      : words.the_customer
  const submit = (amount: number) =>
    refund.mutate(amount, {
      onSuccess: () => {
        toast(words.refund_done(formatMoney(amount, currency)))
        close()
      },
    })
  return (
    <MoneyDialog
      title={words.refund_title}
      rest={rest}
      currency={currency}
      consequence={(amount) =>
        words.refund_to(formatMoney(amount, currency), target, formatMoney(rest - amount, currency))
      }
      confirm={words.refund_button}
      busy={refund.isPending}
      error={refund.error}
      submit={submit}
      close={close}
    >
      <SelectField
        label={words.reason}
        value={reason}
        options={[
          ['', words.reasons.none],
          ['customer_request', words.reasons.customer_request],
          ['duplicate', words.reasons.duplicate],
          ['fraud', words.reasons.fraud],
        ]}
        onChange={(event) => setReason(event.target.value as RefundReason | '')}
      />
      <TextField
        label={words.message}
        hint={words.message_hint}
        value={message}
        error={fieldError('message')}
        onChange={(event) => setMessage(event.target.value)}
      />
    </MoneyDialog>
  )
}
