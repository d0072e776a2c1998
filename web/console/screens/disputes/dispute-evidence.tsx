import { type FormEvent, useState } from 'react'
import { dispute_limits, type EvidenceName } from '../../../../src/core/payments/disputes.ts'
import { useChange } from '../../api/api-hooks.ts'
import type { Dispute } from '../../api/call-api.ts'
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
import type { DisputeContext } from './dispute-context.tsx'
import { disputes_words } from './disputes-words.ts'
import { DisputeFiles } from './evidence-files.tsx'
import { useKnownEvidence } from './known-evidence.ts'

type Texts = Partial<Record<EvidenceName, string>>

interface Props {
  dispute: Dispute
  may_write: boolean
  /** The facts about the payment, for the first draft. */
  context: DisputeContext | null
}

/** Texts and files for the bank of the customer: written, sent once, then only shown. */
export function DisputeEvidence({ dispute, may_write, context }: Props) {
  const words = useWords(disputes_words)
  return (
    <section className="section">
      <h2>{words.evidence}</h2>
      {may_write ? (
        <EvidenceForm dispute={dispute} context={context} />
      ) : (
        <>
          <EvidenceShown dispute={dispute} />
          <DisputeFiles dispute={dispute} may_write={false} />
        </>
      )}
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

function EvidenceForm({ dispute, context }: Omit<Props, 'may_write'>) {
  const words = useWords(disputes_words)
  const toast = useToast()
  const { id, store_id } = dispute
  const known = useKnownEvidence(context)
  const stored: Texts = dispute.evidence ?? {}
  const is_new = Object.keys(stored).length === 0 && Object.keys(known).length > 0
  const [texts, setTexts] = useState<Texts>(is_new ? known : stored)
  const [is_sending, setSending] = useState(false)
  const names = Object.keys(words.texts) as EvidenceName[]
  const text_count = names.filter((name) => texts[name]).length
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
      {is_new && <p className="consequence">{words.prefilled}</p>}
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
      <DisputeFiles dispute={dispute} may_write />
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
        <p className="consequence">
          {text_count + dispute.files.length === 0
            ? words.nothing_to_send
            : words.sent(text_count, dispute.files.length)}
        </p>
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
