import { type FormEvent, useRef, useState } from 'react'
import {
  dispute_limits,
  type EvidenceName,
  file_types,
} from '../../../../src/core/payments/disputes.ts'
import { useChange } from '../../api/api-hooks.ts'
import { callApi, type Dispute } from '../../api/call-api.ts'
import { saveFile } from '../../api/save-file.ts'
import { Button } from '../../parts/forms/button.tsx'
import {
  AreaField,
  FormError,
  useFaultFocus,
  useFieldErrors,
} from '../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { useWords } from '../../words/language.tsx'
import { disputes_words } from './disputes-words.ts'

type Texts = Partial<Record<EvidenceName, string>>

/** Texts and files for the bank of the customer: written, sent once, then only shown. */
export function DisputeEvidence({ dispute, may_write }: { dispute: Dispute; may_write: boolean }) {
  const words = useWords(disputes_words)
  return (
    <section className="section">
      <h2>{words.evidence}</h2>
      {may_write ? <EvidenceForm dispute={dispute} /> : <EvidenceShown dispute={dispute} />}
      <Files dispute={dispute} may_write={may_write} />
    </section>
  )
}

function EvidenceShown({ dispute }: { dispute: Dispute }) {
  const words = useWords(disputes_words)
  const texts: Texts = dispute.evidence ?? {}
  const names = Object.keys(words.texts) as EvidenceName[]
  const rows = names.flatMap((name) =>
    texts[name] ? [[words.texts[name], texts[name]] as const] : [],
  )
  if (rows.length === 0) return <p className="none-yet">{words.no_evidence}</p>
  return <KeyValues rows={rows} />
}

function EvidenceForm({ dispute }: { dispute: Dispute }) {
  const words = useWords(disputes_words)
  const toast = useToast()
  const { id, store_id } = dispute
  const [texts, setTexts] = useState<Texts>(dispute.evidence ?? {})
  const [is_sending, setSending] = useState(false)
  const names = Object.keys(words.texts) as EvidenceName[]
  const update = useChange(
    (api, submit: boolean) => {
      const evidence = Object.fromEntries(names.map((name) => [name, texts[name] || null]))
      return api.disputes.update(id, { evidence, submit }, { store_id })
    },
    ['disputes'],
  )
  const form = useFaultFocus(update.error)
  const errorOf = useFieldErrors(update.error)
  const fields = names.map((name) => `evidence.${name}`)
  const save = (event: FormEvent) => {
    event.preventDefault()
    update.mutate(false, { onSuccess: () => toast(words.saved) })
  }
  const send = () =>
    update.mutate(true, {
      onSuccess: () => toast(words.submitted),
      onSettled: () => setSending(false),
    })
  return (
    <form ref={form} className="dispute-form" onSubmit={save}>
      <p className="field-hint">{words.evidence_hint}</p>
      {names.map((name) => (
        <AreaField
          key={name}
          label={words.texts[name]}
          maxLength={dispute_limits.text_length}
          value={texts[name] ?? ''}
          onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          error={errorOf(`evidence.${name}`)}
        />
      ))}
      <FormError error={update.error} fields={fields} />
      <div className="record-actions">
        <Button kind="primary" onClick={() => setSending(true)}>
          {words.submit}
        </Button>
        <Button type="submit" busy={update.isPending && !is_sending}>
          {words.save}
        </Button>
      </div>
      <Dialog
        open={is_sending}
        close={() => setSending(false)}
        title={words.submit}
        text={words.submit_text}
      >
        <DialogActions>
          <Button onClick={() => setSending(false)}>{words.keep}</Button>
          <Button kind="primary" busy={update.isPending} onClick={send}>
            {words.submit}
          </Button>
        </DialogActions>
      </Dialog>
    </form>
  )
}

/** The content of a file as Base64. */
async function readFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

async function download({ id, store_id }: Dispute, file_id: string): Promise<void> {
  const { name, content, content_type } = await callApi((api) =>
    api.disputes.getFile(id, file_id, { store_id }),
  )
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
  saveFile(new Blob([bytes], { type: content_type }), name)
}

function Files({ dispute, may_write }: { dispute: Dispute; may_write: boolean }) {
  const words = useWords(disputes_words)
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const { id, store_id, files } = dispute
  const add = useChange(
    async (api, file: File) => {
      const content_type = file.type as keyof typeof file_types
      const body = { name: file.name, content_type, content: await readFile(file) }
      return api.disputes.createFile(id, body, { store_id })
    },
    ['disputes'],
  )
  const remove = useChange(
    (api, file_id: string) => api.disputes.deleteFile(id, file_id, { store_id }),
    ['disputes'],
  )
  const choose = (file: File | undefined) => {
    if (input.current) input.current.value = ''
    if (!file) return
    if (file.size > dispute_limits.file_bytes) toast(words.too_large)
    else add.mutate(file)
  }
  return (
    <>
      <h3>{words.files}</h3>
      {files.length === 0 && <p className="none-yet">{words.no_files}</p>}
      <ul className="dispute-files">
        {files.map(({ id: file_id, name }) => (
          <li key={file_id}>
            <span>{name}</span>
            <Button
              kind="quiet"
              small
              icon="download"
              aria-label={words.open_file(name)}
              onClick={() => void download(dispute, file_id)}
            />
            {may_write && (
              <Button
                kind="quiet"
                small
                icon="close"
                aria-label={words.remove_file(name)}
                onClick={() => remove.mutate(file_id)}
              />
            )}
          </li>
        ))}
      </ul>
      <FormError error={add.error ?? remove.error} />
      {may_write && files.length < dispute_limits.file_count && (
        <>
          <input
            ref={input}
            className="unseen"
            type="file"
            tabIndex={-1}
            aria-label={words.add_file}
            accept={Object.keys(file_types).join(',')}
            onChange={({ target }) => choose(target.files?.[0])}
          />
          <Button icon="plus" busy={add.isPending} onClick={() => input.current?.click()}>
            {words.add_file}
          </Button>
        </>
      )}
    </>
  )
}
