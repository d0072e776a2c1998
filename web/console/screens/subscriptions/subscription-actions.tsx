import { useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { Subscription } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { MoneyDialog } from '../../parts/overlays/money-dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { actionsOf } from './subscription-data.ts'
import { subscriptions_words } from './subscriptions-words.ts'

const actions = ['change', 'suspend', 'resume', 'cancel'] as const
type Action = (typeof actions)[number]

/** The actions of a subscription; an ended one says so. */
export function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const words = useWords(subscriptions_words)
  const may_act = useCan('payments:write')
  const [open, setOpen] = useState<Action | null>(null)
  const possible = actionsOf(subscription)
  const shown = actions.filter((action) => possible[action])
  const close = () => setOpen(null)
  return (
    <div className="record-actions">
      {may_act &&
        shown.map((action) => (
          <Button
            key={action}
            kind={action === 'resume' ? 'primary' : 'plain'}
            onClick={() => setOpen(action)}
          >
            {words[action]}
          </Button>
        ))}
      {shown.length === 0 && <p className="none-yet">{words.no_actions}</p>}
      {shown.length > 0 && <MissingRight right="payments:write" />}
      {open === 'change' && <ChangeDialog subscription={subscription} close={close} />}
      {open && open !== 'change' && (
        <StateDialog subscription={subscription} action={open} close={close} />
      )}
    </div>
  )
}

interface DialogProps {
  subscription: Subscription
  close: () => void
}

function StateDialog({
  subscription,
  action,
  close,
}: DialogProps & { action: Exclude<Action, 'change'> }) {
  const words = useWords(subscriptions_words)
  const toast = useToast()
  const { id, store_id } = subscription
  const change = useChange(
    async (api) => {
      const options = { store_id }
      if (action === 'suspend') await api.subscriptions.suspend(id, {}, options)
      else if (action === 'resume') await api.subscriptions.unsuspend(id, {}, options)
      else await api.subscriptions.cancel(id, options)
    },
    ['subscriptions'],
  )
  const submit = () =>
    change.mutate(undefined, {
      onSuccess: () => {
        toast(words[`${action}_done`])
        close()
      },
    })
  return (
    <Dialog open close={close} title={words[action]} text={words[`${action}_text`]}>
      <FormError error={change.error} />
      <DialogActions close={close}>
        <Button
          kind={action === 'cancel' ? 'danger' : 'primary'}
          busy={change.isPending}
          onClick={submit}
        >
          {words[action]}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function ChangeDialog({ subscription, close }: DialogProps) {
  const words = useWords(subscriptions_words)
  const toast = useToast()
  const { id, store_id, amount, currency } = subscription
  const change = useChange(
    (api, wanted: number) => api.subscriptions.update(id, { amount: wanted }, { store_id }),
    ['subscriptions'],
  )
  return (
    <MoneyDialog
      title={words.change}
      rest={amount}
      max={null}
      currency={currency}
      consequence={(wanted) => words.change_text(formatMoney(wanted, currency))}
      confirm={words.change_button}
      busy={change.isPending}
      error={change.error}
      submit={(wanted) =>
        change.mutate(wanted, {
          onSuccess: () => {
            toast(words.change_done)
            close()
          },
        })
      }
      close={close}
    />
  )
}
