import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type UrlValues, useUrlState } from '../../api/url-state.ts'
import { dayOf, presetDays } from '../../api/zone-days.ts'
import { formatCalendarDay, joinList } from '../../words/format-values.ts'
import { type Language, useLanguage, useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { CheckField, SelectField, TextField } from '../forms/form-fields.tsx'
import { Popover } from '../overlays/popover.tsx'
import { Icon } from '../values/icon.tsx'
import { useTimeFrame } from '../values/time-text.tsx'
import './filters.css'

type Option = readonly [value: string, label: string]

interface Named {
  /** The parameter of the API and of the address. */
  readonly name: string
  readonly label: string
}

/** The filters of a list; all of them combine. */
export type Filter =
  | (Named & { readonly kind: 'choice'; readonly options: readonly Option[] })
  | (Named & { readonly kind: 'several'; readonly options: readonly Option[] })
  | (Named & { readonly kind: 'text'; readonly hint?: string; readonly digits?: true })
  /** Two parameters: from and to. */
  | (Named & { readonly kind: 'range'; readonly to: string; readonly of: 'days' | 'amounts' })

/** The parameters of all filters that are set, for the API and for saved views. */
export function filterValues(filters: readonly Filter[], values: UrlValues): UrlValues {
  const names = filters.flatMap((one) => (one.kind === 'range' ? [one.name, one.to] : [one.name]))
  const found = ['search', ...names].filter((name) => values[name])
  return Object.fromEntries(found.map((name) => [name, values[name] ?? '']))
}

const search_delay_ms = 250

/** Search as you type; Escape clears the field and leaves it. */
export function SearchField({ placeholder }: { placeholder: string }) {
  const { values, set } = useUrlState()
  const { search = '' } = values
  const [text, setText] = useState(search)
  const typed = useRef(search)
  useEffect(() => {
    if (search !== typed.current) setText(search)
    typed.current = search
  }, [search])
  useEffect(() => {
    if (text === typed.current) return
    const timer = setTimeout(() => {
      typed.current = text
      set({ search: text, cursor: '' }, true)
    }, search_delay_ms)
    return () => clearTimeout(timer)
  }, [text, set])
  return (
    <div className="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          setText('')
          event.currentTarget.blur()
        }}
      />
    </div>
  )
}

/** This many filters are shown at first, the others behind a button. */
const usual_count = 6

/** Buttons for every filter; active ones show their value and can be removed. */
export function Filters({ filters }: { filters: readonly Filter[] }) {
  const words = useWords(part_words)
  const { values, set } = useUrlState()
  const { zone } = useTimeFrame()
  const { language } = useLanguage()
  const [shows_all, setShowsAll] = useState(filters.length <= usual_count + 1)
  const shown = filters.filter(
    (filter, at) =>
      shows_all || at < usual_count || shownValue(filter, values, zone, language) !== '',
  )
  const active = filterValues(filters, values)
  const clearAll = () =>
    set({ ...Object.fromEntries(Object.keys(active).map((name) => [name, ''])), cursor: '' })
  return (
    <div className="filters">
      {shown.map((filter) => (
        <FilterChip key={filter.name} filter={filter} values={values} set={set} />
      ))}
      {!shows_all && (
        <button type="button" className="chip more" onClick={() => setShowsAll(true)}>
          {words.more_filters}
        </button>
      )}
      {Object.keys(active).length > 0 && (
        <Button kind="quiet" small onClick={clearAll}>
          {words.clear_all}
        </Button>
      )}
    </div>
  )
}

interface ChipProps {
  filter: Filter
  values: UrlValues
  set: (changes: UrlValues) => void
}

function FilterChip({ filter, values, set }: ChipProps) {
  const words = useWords(part_words)
  const [open, setOpen] = useState(false)
  const { zone } = useTimeFrame()
  const { language } = useLanguage()
  const shown = shownValue(filter, values, zone, language)
  const names = filter.kind === 'range' ? [filter.name, filter.to] : [filter.name]
  const apply = (wanted: UrlValues) => {
    set({ ...Object.fromEntries(names.map((name) => [name, wanted[name] ?? ''])), cursor: '' })
    setOpen(false)
  }
  return (
    <span className={`chip ${shown ? 'set' : ''}`}>
      <Popover
        open={open}
        setOpen={setOpen}
        label={filter.label}
        trigger={
          <button type="button" className="chip-button">
            {!shown && <Icon name="plus" size={14} />}
            {filter.label}
            {shown && <b>{shown}</b>}
          </button>
        }
      >
        <FilterForm filter={filter} values={values} apply={apply} />
      </Popover>
      {shown && (
        <button
          type="button"
          className="chip-remove"
          aria-label={words.remove_filter(filter.label)}
          onClick={() => apply({})}
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </span>
  )
}

/** Days as people write them. */
function dayText(value: string, zone: string, language: Language): string {
  return value && formatCalendarDay(dayOf(value, zone), language)
}

function shownValue(filter: Filter, values: UrlValues, zone: string, language: Language): string {
  const value = values[filter.name] ?? ''
  if (filter.kind === 'text') return value
  if (filter.kind === 'range') {
    const to = values[filter.to] ?? ''
    if (!value && !to) return ''
    return filter.of === 'days'
      ? `${dayText(value, zone, language)} – ${dayText(to, zone, language)}`
      : `${value} – ${to}`
  }
  const labels = new Map(filter.options)
  const parts = value === '' ? [] : value.split(',')
  return joinList(
    parts.map((part) => labels.get(part) ?? part),
    language,
  )
}

interface FormProps {
  filter: Filter
  values: UrlValues
  apply: (wanted: UrlValues) => void
}

function FilterForm({ filter, values, apply }: FormProps) {
  const words = useWords(part_words)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const wanted: Record<string, string> = {}
    for (const name of new Set(data.keys())) {
      wanted[name] = data.getAll(name).map(String).join(',').trim()
    }
    apply(wanted)
  }
  return (
    <form onSubmit={submit}>
      {filter.kind === 'range' && filter.of === 'days' && (
        <DayPresets filter={filter} apply={apply} />
      )}
      <FilterFields filter={filter} values={values} />
      <Button kind="primary" small type="submit">
        {words.apply}
      </Button>
    </form>
  )
}

const presets = ['today', 'yesterday', 'last_7_days', 'this_month', 'last_month'] as const

/** Common periods, in the time zone of the store. */
function DayPresets({
  filter,
  apply,
}: {
  filter: Filter & { kind: 'range' }
  apply: FormProps['apply']
}) {
  const words = useWords(part_words)
  const { zone, now } = useTimeFrame()
  const days = presetDays(now, zone)
  return (
    <div className="presets">
      {presets.map((preset) => {
        const [from, to] = days[preset]
        return (
          <Button
            key={preset}
            small
            onClick={() => apply({ [filter.name]: from, [filter.to]: to })}
          >
            {words.presets[preset]}
          </Button>
        )
      })}
    </div>
  )
}

function FilterFields({ filter, values }: Pick<FormProps, 'filter' | 'values'>) {
  const words = useWords(part_words)
  const { zone } = useTimeFrame()
  const { name, label } = filter
  const value = values[name] ?? ''
  if (filter.kind === 'choice') {
    const options: readonly Option[] = [['', words.view_all], ...filter.options]
    return <SelectField label={label} name={name} defaultValue={value} options={options} />
  }
  if (filter.kind === 'several') {
    const chosen = value.split(',')
    return (
      <fieldset className="several">
        <legend>{label}</legend>
        {filter.options.map(([option, text]) => (
          <CheckField
            key={option}
            name={name}
            value={option}
            label={text}
            defaultChecked={chosen.includes(option)}
          />
        ))}
      </fieldset>
    )
  }
  if (filter.kind === 'text') {
    const digits = filter.digits ? ({ inputMode: 'numeric', maxLength: 4 } as const) : {}
    return (
      <TextField label={label} name={name} defaultValue={value} hint={filter.hint} {...digits} />
    )
  }
  const type = filter.of === 'days' ? 'date' : 'text'
  const [from, to] =
    filter.of === 'days' ? [words.from, words.to] : [words.from_amount, words.to_amount]
  const shown = (text: string) => (filter.of === 'days' ? dayOf(text, zone) : text)
  const more = type === 'text' ? ({ inputMode: 'decimal' } as const) : {}
  return (
    <fieldset className="range">
      <legend>{label}</legend>
      <TextField label={from} name={name} type={type} defaultValue={shown(value)} {...more} />
      <TextField
        label={to}
        name={filter.to}
        type={type}
        defaultValue={shown(values[filter.to] ?? '')}
        {...more}
      />
    </fieldset>
  )
}
