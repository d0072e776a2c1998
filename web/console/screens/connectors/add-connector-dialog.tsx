import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import {
  type AddConnector,
  type Connector,
  type ConnectorKind,
  KaikeiError,
} from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import {
  FormError,
  SelectField,
  TextField,
  useFaultFocus,
  useFieldErrors,
} from '../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { connectors_words } from './connectors-words.ts'
import { cautionOf, kindName } from './setting-words.ts'

interface Props {
  kinds: readonly ConnectorKind[]
  /** Adds settings to this one. */
  connector?: Connector
  close: () => void
}

type Owner = 'installation' | 'merchant' | 'none'

/** A form from the fields of the connector's kind. Its input is sent once, and never comes back. */
export function AddConnectorDialog({ kinds, connector, close }: Props) {
  const { language } = useLanguage()
  const words = useWords(connectors_words)
  const toast = useToast()
  const [kind, setKind] = useState(connector?.kind ?? kinds[0]?.kind ?? '')
  const [owner, setOwner] = useState<Owner>('installation')
  const add = useChange(
    (api, body: AddConnector) => api.operator.createConnector(body),
    ['operator.listConnectors', 'operator.getRouting'],
  )
  const fieldError = useFieldErrors(add.error)
  const form = useFaultFocus(add.error)
  const settings = kinds.find((one) => one.kind === kind)?.settings ?? []
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const name = connector?.name ?? String(typed.get('name') ?? '').trim()
    const body = readConnector(typed, { name, kind, owner, settings })
    add.mutate(body, {
      onSuccess: () => {
        toast(words.added(name))
        close()
      },
    })
  }
  const owners = Object.entries(words.owners).filter(([one]) => !connector || one !== 'none')
  return (
    <Dialog
      open
      close={close}
      title={connector ? `${connector.name}: ${words.add_settings}` : words.add}
      text={words.add_text}
      wide
    >
      <form ref={form} noValidate autoComplete="off" onSubmit={submit}>
        {!connector && (
          <div className="field-pair">
            <SelectField
              label={words.kind}
              value={kind}
              options={kinds.map((one) => [one.kind, kindName(one.kind, language)])}
              hint={cautionOf(kind, language)}
              error={fieldError('kind')}
              onChange={(event) => setKind(event.target.value)}
            />
            <TextField
              label={words.name}
              name="name"
              maxLength={40}
              hint={words.name_hint}
              error={fieldError('name')}
            />
          </div>
        )}
        <Choice
          label={words.whose}
          options={owners}
          chosen={owner}
          choose={(one) => setOwner(one as Owner)}
        />
        {owner === 'merchant' && <OwnerFields fieldError={fieldError} />}
        {owner !== 'none' && <Settings settings={settings} fieldError={fieldError} />}
        <TestFault error={add.error} fields={settings.map(({ name }) => `settings.${name}`)} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {words.add_and_test}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type FieldError = (field: string) => string | null

function OwnerFields({ fieldError }: { fieldError: FieldError }) {
  const words = useWords(connectors_words)
  return (
    <div className="field-pair">
      <TextField
        label={words.merchant_id}
        name="merchant_id"
        hint={words.merchant_id_hint}
        error={fieldError('merchant_id')}
      />
      <TextField
        label={words.store_id}
        name="store_id"
        hint={words.optional}
        error={fieldError('store_id')}
      />
    </div>
  )
}

type Settings = ConnectorKind['settings']

function Settings({ settings, fieldError }: { settings: Settings; fieldError: FieldError }) {
  const words = useWords(connectors_words)
  return settings.map(({ name, description, required, is_secret }) => {
    const hint = words.setting_hints[name] ?? description.replaceAll('`', '')
    return (
      <TextField
        key={name}
        label={words.setting_names[name] ?? name}
        name={`settings.${name}`}
        // No password of the person who types it: a browser must not offer to store it.
        className={is_secret ? 'input concealed' : 'input'}
        autoComplete="off"
        spellCheck={false}
        required={required}
        hint={required ? hint : words.optional_hint(hint)}
        error={fieldError(`settings.${name}`)}
      />
    )
  })
}

/** The provider's response to the test call, in its words. */
function TestFault({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const words = useWords(connectors_words)
  if (!(error instanceof KaikeiError) || error.code !== 'CONNECTOR_TEST_FAILED') {
    return (
      <FormError error={error} fields={['kind', 'name', 'merchant_id', 'store_id', ...fields]} />
    )
  }
  return (
    <div className="form-error" role="alert">
      <Icon name="warning" />
      <div>{words.test_failed(error.message.replace(/^[^:]*: /, ''))}</div>
    </div>
  )
}

interface Chosen {
  readonly name: string
  readonly kind: string
  readonly owner: Owner
  readonly settings: Settings
}

/** The input, unchanged; the API names every missing field. */
function readConnector(form: FormData, { name, kind, owner, settings }: Chosen): AddConnector {
  const text = (field: string) => String(form.get(field) ?? '').trim()
  const filled = settings
    .map((one) => [one.name, text(`settings.${one.name}`)] as const)
    .filter(([, value]) => value !== '')
  return {
    name,
    kind,
    ...(owner === 'merchant'
      ? { merchant_id: text('merchant_id'), store_id: text('store_id') || null }
      : {}),
    settings: owner === 'none' ? null : Object.fromEntries(filled),
  }
}
