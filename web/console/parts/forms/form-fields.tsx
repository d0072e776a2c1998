import {
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useRef,
} from 'react'
import { KaikeiError } from '../../api/call-api.ts'
import { useLanguage } from '../../words/language.tsx'
import { errorText, reasonText } from '../../words/part-words.ts'
import { Icon } from '../values/icon.tsx'
import './form-fields.css'

interface FieldProps {
  label: string
  hint?: ReactNode
  /** What is wrong with the field; beside it, not on top of the page. */
  error?: string | null | undefined
}

type Described = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

function Field(props: FieldProps & { children: (described: Described) => ReactNode }) {
  const { label, hint, error, children } = props
  const id = useId()
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(about ? { 'aria-describedby': about } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

export function TextField(props: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const { label, hint, error, ...input } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => <input className="input" {...input} {...described} />}
    </Field>
  )
}

export function AreaField(props: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { label, hint, error, ...area } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => <textarea className="input" rows={3} {...area} {...described} />}
    </Field>
  )
}

type Option = readonly [value: string, label: string]

export function SelectField(
  props: FieldProps & SelectHTMLAttributes<HTMLSelectElement> & { options: readonly Option[] },
) {
  const { label, hint, error, options, ...select } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => (
        <span className="select">
          <select className="input" {...select} {...described}>
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </Field>
  )
}

export function CheckField(
  props: { label: ReactNode } & Omit<InputHTMLAttributes<HTMLInputElement>, 'type'>,
) {
  const { label, ...input } = props
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  )
}

/** The reason why the server refused a field, in the reader's language; null when it did not. */
export function useFieldErrors(error: unknown): (field: string) => string | null {
  const { language } = useLanguage()
  return (field) => {
    if (!(error instanceof KaikeiError)) return null
    const found = error.errors.find(({ field: name }) => name === field)
    return found ? reasonText(found.reason, language) : null
  }
}

/** The form that it is put on has the focus on its first wrong field as soon as the server refused it. */
export function useFaultFocus(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return form
}

/** What the server refused that no field of the form is at fault for. */
export function FormError({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  const { language } = useLanguage()
  if (!error) return null
  const shown = error instanceof KaikeiError ? error.errors.map(({ field }) => field) : []
  if (shown.length > 0 && shown.every((field) => field && fields.includes(field))) return null
  const request_id = error instanceof KaikeiError ? error.request_id : null
  return (
    <div className="form-error" role="alert">
      <Icon name="warning" />
      <div>
        {errorText(error, language)}
        {request_id && <code>{request_id}</code>}
      </div>
    </div>
  )
}
