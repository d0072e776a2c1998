import { useState } from 'react'
import { useChange, useRead } from '../../api/api-hooks.ts'
import { type UrlValues, useUrlState } from '../../api/url-state.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../forms/form-fields.tsx'
import { Dialog, DialogActions } from '../overlays/dialog.tsx'
import { useToast } from '../overlays/toasts.tsx'
import './saved-views.css'

interface Props {
  list: string
  /** The label of the view without filters. */
  all: string
  filters: UrlValues
  columns: readonly string[]
  chooseColumns: (names: readonly string[]) => void
}

const textOf = (values: object) => JSON.stringify(Object.entries(values).toSorted())

/** Filters and columns under a name of one's own. The one that is shown can be deleted. */
export function SavedViews({ list, all, filters, columns, chooseColumns }: Props) {
  const words = useWords(part_words)
  const toast = useToast()
  const { replaceAll } = useUrlState()
  const [is_naming, setNaming] = useState(false)
  const { data } = useRead((api) => api.users.listSavedViews({ limit: 100 }))
  const remove = useChange(
    (api, id: string) => api.users.deleteSavedView(id),
    ['users.listSavedViews'],
  )
  const views = (data?.items ?? []).filter((view) => view.list === list)
  const shown = views.find((view) => textOf(view.filters) === textOf(filters))
  const is_filtered = Object.keys(filters).length > 0
  const open = (view: (typeof views)[number]) => {
    replaceAll(view.filters as UrlValues)
    chooseColumns(view.columns)
  }
  return (
    <div className="views">
      <button
        type="button"
        className="view"
        aria-pressed={!is_filtered}
        onClick={() => replaceAll({})}
      >
        {all}
      </button>
      {views.map((view) => (
        <button
          key={view.id}
          type="button"
          className="view"
          aria-pressed={view === shown}
          onClick={() => open(view)}
        >
          {view.name}
        </button>
      ))}
      {is_filtered && !shown && (
        <Button kind="quiet" small icon="plus" onClick={() => setNaming(true)}>
          {words.new_view}
        </Button>
      )}
      {shown && (
        <Button
          kind="quiet"
          small
          onClick={() => remove.mutate(shown.id, { onSuccess: () => toast(words.view_deleted) })}
        >
          {words.delete_view}
        </Button>
      )}
      {is_naming && (
        <NameDialog
          view={{ list, filters: { ...filters }, columns: [...columns] }}
          close={() => setNaming(false)}
        />
      )}
    </div>
  )
}

interface NameProps {
  view: { list: string; filters: Record<string, string>; columns: string[] }
  close: () => void
}

function NameDialog({ view, close }: NameProps) {
  const words = useWords(part_words)
  const toast = useToast()
  const [name, setName] = useState('')
  const save = useChange(
    (api, wanted: string) => api.users.createSavedView({ ...view, name: wanted }),
    ['users.listSavedViews'],
  )
  const fieldError = useFieldErrors(save.error)
  const done = () => {
    toast(words.view_saved)
    close()
  }
  return (
    <Dialog open close={close} title={words.new_view} text={words.view_text}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(name, { onSuccess: done })
        }}
      >
        <TextField
          label={words.view_name}
          required
          maxLength={80}
          value={name}
          error={fieldError('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <FormError error={save.error} fields={['name']} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {words.new_view}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
