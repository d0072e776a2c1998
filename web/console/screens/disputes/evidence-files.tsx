import { useRef, useState } from 'react'
import { dispute_limits, file_types } from '../../../../src/core/payments/disputes.ts'
import { useChange } from '../../api/api-hooks.ts'
import { callApi, type Dispute } from '../../api/call-api.ts'
import { saveFile } from '../../api/save-file.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { useWords } from '../../words/language.tsx'
import { disputes_words } from './disputes-words.ts'

/** The content of a file as Base64. */
async function readFile(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return address.slice(address.indexOf(',') + 1)
}

/** Kilobytes below a megabyte. */
function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024
  return kilobytes < 1024 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`
}

async function download({ id, store_id }: Dispute, file_id: string): Promise<void> {
  const { name, content, content_type } = await callApi((api) =>
    api.disputes.getFile(id, file_id, { store_id }),
  )
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
  saveFile(new Blob([bytes], { type: content_type }), name)
}

/** Files are chosen before anything is sent; a file that cannot be sent is refused when it is chosen. */
export function DisputeFiles({ dispute, may_write }: { dispute: Dispute; may_write: boolean }) {
  const words = useWords(disputes_words)
  const [fault, setFault] = useState<string | null>(null)
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
    setFault(null)
    if (!file) return
    if (file.size > dispute_limits.file_bytes) {
      setFault(words.too_large(file.name, sizeText(file.size)))
    } else if (!(file.type in file_types)) setFault(words.wrong_type(file.name))
    else add.mutate(file)
  }
  return (
    <>
      <h3>{words.files}</h3>
      {files.length === 0 && <p className="none-yet">{words.no_files}</p>}
      <ul className="dispute-files">
        {files.map(({ id: file_id, name, content_type, size }) => (
          <li key={file_id}>
            <span>{name}</span>
            <span className="dispute-file-size">
              {content_type.split('/')[1]?.toUpperCase()} · {sizeText(size)}
            </span>
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
      {fault && (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
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
