import { useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type {
  ListOperatorTransfersQuery,
  MoveTransfer,
  OperatorTransfer,
  Transfer,
} from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError, SelectField, TextField } from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { errorText } from '../../words/part-words.ts'
import { usePayoutColumns } from '../ledger/payouts/payout-columns.tsx'
import { operator_words } from './operator-words.ts'

type Action = MoveTransfer['action']

/** The steps that a payout can take; the server has the last word. */
const steps: Readonly<Record<string, readonly Action[]>> = {
  created: ['approve', 'cancel'],
  approved: ['process', 'cancel'],
  processing: ['pay', 'fail'],
}

export function OperatorPayouts() {
  const words = useWords(operator_words)
  const shared = usePayoutColumns()
  const [moving, setMoving] = useState<Transfer | null>(null)
  const filters: readonly Filter[] = [
    shared.status,
    { kind: 'text', name: 'merchant_id', label: words.merchant },
  ]
  const columns: readonly Column<OperatorTransfer>[] = [
    ...shared.columns,
    {
      name: 'merchant',
      label: words.merchant,
      phone: 'note',
      show: ({ merchant_name, merchant_id }) => <span title={merchant_id}>{merchant_name}</span>,
    },
    {
      name: 'move',
      label: '',
      align: 'right',
      show: (transfer) =>
        steps[transfer.status] && (
          <Button kind="quiet" small onClick={() => setMoving(transfer)}>
            {words.move}
          </Button>
        ),
    },
  ]
  return (
    <>
      <StartDue />
      <ListView
        label={words.tabs.payouts}
        columns={columns}
        filters={filters}
        read={(api, query) => api.operator.listTransfers(query as ListOperatorTransfersQuery)}
        idOf={({ id }) => id}
        empty={{ icon: 'ledger', title: words.no_payouts, text: words.no_payouts_text }}
      />
      {moving && <MoveDialog transfer={moving} close={() => setMoving(null)} />}
    </>
  )
}

function StartDue() {
  const words = useWords(operator_words)
  const { language } = useLanguage()
  const toast = useToast()
  const start = useChange((api) => api.operator.createDueTransfers(), ['operator.listTransfers'])
  return (
    <div className="tab-actions">
      <Button
        busy={start.isPending}
        onClick={() =>
          start.mutate(undefined, {
            onSuccess: ({ transfers }) => toast(words.started(transfers.length)),
            onError: (error) => toast(errorText(error, language)),
          })
        }
      >
        {words.start_due}
      </Button>
    </div>
  )
}

function MoveDialog({ transfer, close }: { transfer: Transfer; close: () => void }) {
  const words = useWords(operator_words)
  const toast = useToast()
  const possible = steps[transfer.status] ?? []
  const [action, setAction] = useState<Action>(possible[0] ?? 'approve')
  const [reason, setReason] = useState('')
  const move = useChange(
    (api) => api.operator.updateTransfer(transfer.id, { action, ...(reason ? { reason } : {}) }),
    ['operator.listTransfers'],
  )
  const submit = () =>
    move.mutate(undefined, {
      onSuccess: () => {
        toast(words.moved)
        close()
      },
    })
  return (
    <Dialog
      open
      close={close}
      title={words.move}
      text={formatMoney(transfer.amount, transfer.currency)}
    >
      <SelectField
        label={words.move}
        value={action}
        options={possible.map((name) => [name, words.moves[name]])}
        onChange={(event) => setAction(event.target.value as Action)}
      />
      <TextField
        label={words.reason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <FormError error={move.error} />
      <DialogActions close={close}>
        <Button
          kind={action === 'fail' || action === 'cancel' ? 'danger' : 'primary'}
          busy={move.isPending}
          onClick={submit}
        >
          {words.moves[action]}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
