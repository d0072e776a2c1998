import { useState } from 'react'
import type { Charge, TransactionToken } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import type { IconName } from '../../parts/values/icon.tsx'
import { useWords } from '../../words/language.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { CaptureDialog } from './capture-dialog.tsx'
import { possibleActions, type Sums } from './payment-data.ts'
import { payment_words } from './payment-words.ts'
import { RefundDialog } from './refund-dialog.tsx'

interface Props {
  charge: Charge
  sums: Sums
  token: TransactionToken | undefined
}

const actions = ['capture', 'refund', 'cancel'] as const
type Action = (typeof actions)[number]
const icons: Partial<Record<Action, IconName>> = { capture: 'check', refund: 'refund' }

/** The actions of a payment; below them, why the others are unavailable. */
export function PaymentActions({ charge, sums, token }: Props) {
  const words = useWords(payment_words)
  const may_act = useCan('payments:write')
  const [open, setOpen] = useState<Action | null>(null)
  const why_not = possibleActions(charge, sums, token)
  const possible = actions.filter((action) => may_act && why_not[action] === null)
  const reasons = actions.flatMap((action) => {
    const reason = why_not[action]
    return reason ? [[words[action], words.why_not[reason]] as const] : []
  })
  const close = () => setOpen(null)
  return (
    <>
      <div className="record-actions">
        {possible.map((action, at) => (
          <Button
            key={action}
            kind={at === 0 ? 'primary' : 'plain'}
            {...(icons[action] ? { icon: icons[action] } : {})}
            onClick={() => setOpen(action)}
          >
            {words[action]}
          </Button>
        ))}
        <ul className="why-not">
          {may_act ? (
            reasons.map(([name, reason]) => (
              <li key={name}>
                <strong>{name}</strong> {reason}
              </li>
            ))
          ) : (
            <li>
              <MissingRight right="payments:write" />
            </li>
          )}
        </ul>
      </div>
      {open === 'refund' && (
        <RefundDialog charge={charge} sums={sums} token={token} close={close} />
      )}
      {open === 'capture' && <CaptureDialog charge={charge} sums={sums} close={close} />}
      {open === 'cancel' && <CancelDialog charge={charge} sums={sums} close={close} />}
    </>
  )
}
