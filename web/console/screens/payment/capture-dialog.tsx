import { useChange } from '../../api/api-hooks.ts'
import type { Charge } from '../../api/call-api.ts'
import { MoneyDialog } from '../../parts/overlays/money-dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { type Sums, stale_with_payment } from './payment-data.ts'
import { payment_words } from './payment-words.ts'

interface Props {
  charge: Charge
  sums: Sums
  close: () => void
}

/** Collects a part or all of what is authorized; the rest is released. */
export function CaptureDialog({ charge, sums, close }: Props) {
  const words = useWords(payment_words)
  const toast = useToast()
  const { id: charge_id, store_id } = charge
  const { amount: authorized, currency } = sums
  const capture = useChange(
    (api, amount: number) => api.charges.capture(charge_id, { amount, currency }, { store_id }),
    stale_with_payment,
  )
  const consequence = (amount: number) => {
    const money = formatMoney(amount, currency)
    if (amount === authorized) return words.capture_all(money)
    return words.capture_part(money, formatMoney(authorized - amount, currency))
  }
  const submit = (amount: number) =>
    capture.mutate(amount, {
      onSuccess: () => {
        toast(words.capture_done(formatMoney(amount, currency)))
        close()
      },
    })
  return (
    <MoneyDialog
      title={words.capture_title}
      rest={authorized}
      currency={currency}
      consequence={consequence}
      confirm={words.capture_button}
      busy={capture.isPending}
      error={capture.error}
      submit={submit}
      close={close}
    />
  )
}
