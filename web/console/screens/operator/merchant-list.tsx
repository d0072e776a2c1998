import { useState } from 'react'
import { Link } from 'wouter'
import { useChange } from '../../api/api-hooks.ts'
import type { OperatorMerchant } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { operator_words } from './operator-words.ts'

export function MerchantList() {
  const words = useWords(operator_words)
  const [verifying, setVerifying] = useState<OperatorMerchant | null>(null)
  const columns: readonly Column<OperatorMerchant>[] = [
    { name: 'name', label: words.name, phone: 'title', show: ({ name }) => name },
    { name: 'email', label: words.email, phone: 'note', show: ({ email }) => email },
    {
      name: 'state',
      label: words.state,
      phone: 'side',
      show: ({ verified, is_demo }) => (
        <StatusBadge
          status={verified ? 'active' : 'unverified'}
          word={is_demo ? words.demo : verified ? words.verified : words.not_verified}
        />
      ),
    },
    {
      name: 'created',
      label: words.created,
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
    { name: 'id', label: words.id, show: ({ id }) => <IdText id={id} /> },
    {
      name: 'verify',
      label: '',
      align: 'right',
      phone: 'value',
      show: (merchant) =>
        merchant.verified ? (
          <Link href={`/operator?tab=routing&merchant_id=${merchant.id}`}>{words.routing}</Link>
        ) : (
          <Button kind="quiet" small onClick={() => setVerifying(merchant)}>
            {words.verify}
          </Button>
        ),
    },
  ]
  return (
    <>
      <ListView
        label={words.tabs.merchants}
        columns={columns}
        search={words.search}
        read={(api, query) => api.operator.listMerchants(query)}
        idOf={({ id }) => id}
        empty={{ icon: 'store', title: words.no_merchants, text: words.no_merchants_text }}
      />
      {verifying && <VerifyDialog merchant={verifying} close={() => setVerifying(null)} />}
    </>
  )
}

function VerifyDialog({ merchant, close }: { merchant: OperatorMerchant; close: () => void }) {
  const words = useWords(operator_words)
  const toast = useToast()
  const verify = useChange(
    (api) => api.operator.updateVerification(merchant.id, { verified: true }),
    ['operator.listMerchants'],
  )
  const submit = () =>
    verify.mutate(undefined, {
      onSuccess: () => {
        toast(words.verified_done)
        close()
      },
    })
  return (
    <Dialog open close={close} title={merchant.name} text={words.verify_text}>
      <FormError error={verify.error} />
      <DialogActions close={close}>
        <Button kind="primary" busy={verify.isPending} onClick={submit}>
          {words.verify}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
