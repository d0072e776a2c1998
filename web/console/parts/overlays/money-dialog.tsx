import { type ReactNode, useRef, useState } from 'react'
import { formatMoney, majorText, readAmount } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../forms/form-fields.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface Props {
  title: string
  /** The amount in the field at first. */
  rest: number
  /** The largest one; null: there is none. Without it, the amount in the field. */
  max?: number | null
  currency: string
  /** False: the amount cannot be changed. */
  in_parts?: boolean
  /** The consequence, in words. */
  consequence: (amount: number) => ReactNode
  /** The button names the amount: "Refund ¥3,000". */
  confirm: (money: string) => string
  danger?: boolean
  busy: boolean
  error: unknown
  submit: (amount: number) => void
  close: () => void
  /** More fields of the action. */
  children?: ReactNode
}

/** Moves money: the amount is filled in, what will happen is said, the button names the amount. */
export function MoneyDialog(props: Props) {
  const { title, rest, currency, in_parts = true, consequence, busy, error, close } = props
  const words = useWords(part_words)
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(() => majorText(rest, currency))
  const fieldError = useFieldErrors(error)
  const amount = readAmount(text, currency)
  const { max = rest } = props
  const too_much = amount !== null && max !== null && amount > max
  const is_valid = amount !== null && amount > 0 && !too_much
  const hint = max === null ? undefined : words.at_most(formatMoney(max, currency))
  return (
    <Dialog open close={close} title={title}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!is_valid) form.current?.querySelector('input')?.focus()
          else if (!busy) props.submit(amount)
        }}
      >
        {in_parts && (
          <TextField
            label={words.amount(currency)}
            className="input amount-input"
            inputMode="decimal"
            autoComplete="off"
            value={text}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => setText(event.target.value)}
            hint={hint}
            error={too_much ? words.too_much : is_valid ? fieldError('amount') : words.no_amount}
          />
        )}
        {props.children}
        <p className="consequence" aria-live="polite">
          {is_valid ? consequence(amount) : '\u00a0'}
        </p>
        <FormError error={error} fields={['amount']} />
        <DialogActions close={close}>
          <Button kind={props.danger ? 'danger' : 'primary'} type="submit" busy={busy}>
            {is_valid ? props.confirm(formatMoney(amount, currency)) : title}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
