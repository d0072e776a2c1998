import { TextField } from '../../../parts/forms/form-fields.tsx'
import { useTimeFrame } from '../../../parts/values/time-text.tsx'
import { useWords } from '../../../words/language.tsx'
import { checkout_words } from '../checkout-words.ts'

interface Props {
  max_uses?: number | null
  last_day?: string
  fieldError: (field: string) => string | null
}

/** How often and how long a link can be paid; both can be changed later. */
export function LinkTerms({ max_uses = null, last_day = '', fieldError }: Props) {
  const words = useWords(checkout_words)
  const { zone } = useTimeFrame()
  return (
    <div className="field-pair">
      <TextField
        label={words.max_uses}
        name="max_uses"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={max_uses === null ? '' : String(max_uses)}
        hint={words.max_uses_hint}
        error={fieldError('max_uses')}
      />
      <TextField
        label={words.last_day}
        name="last_day"
        type="date"
        defaultValue={last_day}
        hint={words.last_day_hint(zone)}
        error={fieldError('expires_on')}
      />
    </div>
  )
}
