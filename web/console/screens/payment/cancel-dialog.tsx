import { useChange } from '../../api/api-hooks.ts'
import type { Charge } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
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

/** Ends a payment before any money has moved. */
export function CancelDialog({ charge, sums, close }: Props) {
  const words = useWords(payment_words)
  const toast = useToast()
  const { id: charge_id, store_id, status } = charge
  const money = formatMoney(sums.amount, sums.currency)
  const cancel = useChange(
    (api, _: null) => api.cancels.create(charge_id, {}, { store_id }),
    stale_with_payment,
  )
  const submit = () =>
    cancel.mutate(null, {
      onSuccess: () => {
        toast(words.cancel_done)
        close()
      },
    })
  const text = status === 'authorized' ? words.cancel_authorized : words.cancel_awaiting
  return (
    <Dialog open close={close} title={words.cancel_title} text={text(money)}>
      <FormError error={cancel.error} />
      <footer className="dialog-actions">
        <Button onClick={close}>{words.keep}</Button>
        <Button kind="danger" busy={cancel.isPending} onClick={submit}>
          {words.cancel_button}
        </Button>
      </footer>
    </Dialog>
  )
}
