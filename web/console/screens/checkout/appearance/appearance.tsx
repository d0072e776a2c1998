import { type FormEvent, useState } from 'react'
import { contrast, textOn } from '../../../../../src/core/text/contrast.ts'
import { useChange } from '../../../api/api-hooks.ts'
import { useCan } from '../../../api/session.tsx'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../../../parts/forms/form-fields.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../../parts/screen/missing-right.tsx'
import { ErrorState, Loading } from '../../../parts/screen/states.tsx'
import { useWords } from '../../../words/language.tsx'
import {
  type AppearanceField,
  type AppearanceGroup,
  type AppearanceValues,
  appearance_fields,
  appearance_groups,
  bodyOf,
  isColor,
  pathOf,
  useAppearance,
} from './appearance-data.ts'
import { AppearancePreview } from './appearance-preview.tsx'
import { appearance_words } from './appearance-words.ts'

/** How the pages of customers look, for the chosen store or for all of them. */
export function Appearance() {
  const { store_id } = useStoreChoice()
  const { own, inherited, error, retry } = useAppearance()
  if (error && !own) return <ErrorState error={error} retry={retry} />
  if (!own || !inherited) return <Loading />
  return <Editor key={store_id ?? ''} own={own} inherited={inherited} />
}

interface EditorProps {
  own: AppearanceValues
  inherited: AppearanceValues
}

function Editor({ own, inherited }: EditorProps) {
  const words = useWords(appearance_words)
  const toast = useToast()
  const may_change = useCan('settings:write')
  const { stores, store_id } = useStoreChoice()
  const [values, setValues] = useState(own)
  const save = useChange(
    async (api, wanted: AppearanceValues): Promise<void> => {
      if (store_id) await api.stores.update(store_id, bodyOf(wanted))
      else await api.merchant.update(bodyOf(wanted))
    },
    ['stores', 'merchant'],
  )
  const fieldError = useFieldErrors(save.error)
  const store = stores.find(({ id }) => id === store_id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(values, { onSuccess: () => toast(words.saved) })
  }
  const shown = Object.fromEntries(
    appearance_fields.map((field) => [field, values[field].trim() || inherited[field]]),
  ) as AppearanceValues
  return (
    <div className="appearance">
      <form className="appearance-form" noValidate onSubmit={submit}>
        <p className="appearance-intro">{store ? words.of_store(store.name) : words.of_merchant}</p>
        {(Object.keys(appearance_groups) as AppearanceGroup[]).map((group) => (
          <fieldset key={group}>
            <legend>{words.groups[group]}</legend>
            {appearance_groups[group].map((field) => (
              <AppearanceInput
                key={field}
                field={field}
                value={values[field]}
                inherited={inherited[field]}
                error={fieldError(pathOf(field))}
                read_only={!may_change}
                change={(value) => setValues({ ...values, [field]: value })}
              />
            ))}
          </fieldset>
        ))}
        <FormError error={save.error} fields={appearance_fields.map(pathOf)} />
        {may_change ? (
          <Button kind="primary" type="submit" busy={save.isPending}>
            {words.save}
          </Button>
        ) : (
          <MissingRight right="settings:write" />
        )}
      </form>
      <AppearancePreview values={shown} />
    </div>
  )
}

interface InputProps {
  field: AppearanceField
  value: string
  inherited: string
  error: string | null
  read_only: boolean
  change: (value: string) => void
}

const types: Partial<Record<AppearanceField, string>> = {
  contact_email: 'email',
  contact_phone: 'tel',
  main_color: 'text',
}

function AppearanceInput(props: InputProps) {
  const { field, value, inherited, error, read_only, change } = props
  const words = useWords(appearance_words)
  const from_merchant = value === '' && inherited !== '' ? words.inherited(inherited) : undefined
  const input = (
    <TextField
      label={words.fields[field]}
      type={types[field] ?? 'url'}
      autoComplete="off"
      placeholder={field.endsWith('_url') ? 'https://' : undefined}
      value={value}
      readOnly={read_only}
      hint={from_merchant ?? (field === 'logo_url' ? words.hints.logo_url : undefined)}
      error={error}
      onChange={(event) => change(event.target.value)}
    />
  )
  if (field !== 'main_color') return input
  const color = value.trim() || inherited
  const is_wrong = color !== '' && !isColor(color)
  return (
    <div className="color-field">
      <div className="color-inputs">
        {input}
        <input
          type="color"
          aria-label={words.color_picker}
          value={isColor(color) ? color.toLowerCase() : default_color}
          disabled={read_only}
          onChange={(event) => change(event.target.value)}
        />
      </div>
      {is_wrong && <p className="field-hint">{words.wrong_color}</p>}
      {isColor(color) && <ContrastNote color={color} />}
    </div>
  )
}

/** That of our design, `--accent`. */
const default_color = '#1f5eff'

/** The service keeps texts readable, whatever the color is. */
function ContrastNote({ color }: { color: string }) {
  const words = useWords(appearance_words)
  const on_button = textOn(color)
  const name = on_button === '#ffffff' ? 'white' : 'black'
  const ratio = contrast(color, on_button).toFixed(1)
  return <p className="field-hint">{words.contrast(words.on_button[name], ratio)}</p>
}
