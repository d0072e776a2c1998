import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { BankAccount, CreateBankAccount } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { CheckField, FormError, TextField, useFieldErrors } from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'

/** The bank accounts of the merchant. */
export function BankAccounts() {
  const words = useWords(settings_words)
  const may_change = useCan('bank_accounts:write')
  const [is_adding, setAdding] = useState(false)
  const [changing, setChanging] = useState<BankAccount | null>(null)
  const columns: readonly Column<BankAccount>[] = [
    { name: 'holder', label: words.holder, phone: 'title', show: ({ holder_name }) => holder_name },
    {
      name: 'bank',
      label: words.bank,
      phone: 'note',
      show: ({ bank_name, branch_name }) => [bank_name, branch_name].filter(Boolean).join(' '),
    },
    {
      name: 'account',
      label: words.account,
      phone: 'value',
      show: ({ last_four }) => `•••• ${last_four}`,
    },
    { name: 'currency', label: words.currency, show: ({ currency }) => currency },
    { name: 'primary', label: words.primary, show: ({ primary }) => primary && words.primary },
    {
      name: 'status',
      label: words.status,
      show: ({ status }) => words.bank_statuses[status],
    },
    {
      name: 'change',
      label: '',
      align: 'right',
      phone: 'side',
      show: (account) =>
        may_change && (
          <Button kind="quiet" small onClick={() => setChanging(account)}>
            {words.change}
          </Button>
        ),
    },
  ]
  return (
    <>
      <MissingRight right="bank_accounts:write" />
      {may_change && (
        <div className="tab-actions">
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {words.add_bank}
          </Button>
        </div>
      )}
      <ListView
        label={words.tabs.bank}
        columns={columns}
        read={(api, query) => api.bankAccounts.list(query)}
        idOf={({ id }) => id}
        empty={{ icon: 'deposits', title: words.no_banks, text: words.no_banks_text }}
      />
      {is_adding && <BankDialog close={() => setAdding(false)} />}
      {changing && <ChangeDialog account={changing} close={() => setChanging(null)} />}
    </>
  )
}

const fields = [
  'holder_name',
  'bank_name',
  'branch_name',
  'account_number',
  'country',
  'currency',
] as const

function BankDialog({ close }: { close: () => void }) {
  const words = useWords(settings_words)
  const toast = useToast()
  const labels = {
    holder_name: words.holder,
    bank_name: words.bank,
    branch_name: words.branch,
    account_number: words.account_number,
    country: words.country,
    currency: words.currency,
  }
  const create = useChange(
    (api, body: CreateBankAccount) => api.bankAccounts.create(body),
    ['bankAccounts'],
  )
  const fieldError = useFieldErrors(create.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const filled = fields.map((name) => [name, String(form.get(name) ?? '').trim()] as const)
    const body = {
      ...Object.fromEntries(filled.filter(([, value]) => value !== '')),
      primary: form.get('primary') !== null,
    } as CreateBankAccount
    create.mutate(body, {
      onSuccess: () => {
        toast(words.bank_added)
        close()
      },
    })
  }
  return (
    <Dialog open close={close} title={words.add_bank}>
      <form noValidate onSubmit={submit}>
        {fields.map((name) => (
          <TextField
            key={name}
            name={name}
            label={labels[name]}
            defaultValue={name === 'country' ? 'JP' : name === 'currency' ? 'JPY' : ''}
            error={fieldError(name)}
          />
        ))}
        <CheckField name="primary" label={words.primary} defaultChecked />
        <FormError error={create.error} fields={fields} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={create.isPending}>
            {words.add_bank}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function ChangeDialog({ account, close }: { account: BankAccount; close: () => void }) {
  const words = useWords(settings_words)
  const toast = useToast()
  const { id, primary, holder_name, bank_name, last_four } = account
  const change = useChange(
    (api, action: 'primary' | 'delete'): PromiseLike<unknown> =>
      action === 'delete'
        ? api.bankAccounts.delete(id)
        : api.bankAccounts.update(id, { primary: true }),
    ['bankAccounts'],
  )
  const save = (action: 'primary' | 'delete') =>
    change.mutate(action, {
      onSuccess: () => {
        toast(action === 'delete' ? words.bank_deleted : words.bank_is_primary)
        close()
      },
    })
  return (
    <Dialog open close={close} title={holder_name} text={`${bank_name} •••• ${last_four}`}>
      <FormError error={change.error} />
      <DialogActions close={close}>
        <Button kind="danger" busy={change.isPending} onClick={() => save('delete')}>
          {words.delete_bank}
        </Button>
        {!primary && (
          <Button kind="primary" busy={change.isPending} onClick={() => save('primary')}>
            {words.make_primary}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
