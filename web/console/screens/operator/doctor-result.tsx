import { useChange, useRead } from '../../api/api-hooks.ts'
import type { DoctorRun } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { ErrorState, Loading } from '../../parts/screen/states.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { checkInJapanese, idsOfFault } from './doctor-words.ts'
import { operator_words } from './operator-words.ts'
import '../ledger/ledger.css'

/** The checks of the data: ledger, states, stuck work, the audit chain. */
export function DoctorResult() {
  const words = useWords(operator_words)
  const { data, error, refetch } = useRead((api) => api.operator.getDoctorRun(), {
    refresh_ms: 2_000,
  })
  const start = useChange((api) => api.operator.startDoctorRun(), ['operator.getDoctorRun'])
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const is_running = data.status === 'running' || start.isPending
  return (
    <>
      <div className="tab-actions">
        <Button kind="primary" busy={is_running} onClick={() => start.mutate(undefined)}>
          {is_running ? words.running : words.run}
        </Button>
      </div>
      <FormError error={start.error} />
      <Result run={data} />
    </>
  )
}

function Result({ run }: { run: DoctorRun }) {
  const words = useWords(operator_words)
  if (run.status === null) return <p className="none-yet">{words.never_run}</p>
  if (run.status === 'lost') return <p className="none-yet">{words.lost}</p>
  if (run.status === 'running') return <p className="none-yet">{words.running}</p>
  const broken = run.findings.filter(({ faults }) => faults.length > 0)
  return (
    <>
      {run.finished_on && (
        <p className="none-yet">
          {words.checked_on} <TimeText at={run.finished_on} exact />
        </p>
      )}
      {broken.length === 0 && (
        <p className="proof">
          <Icon name="check" />
          {words.no_findings}
        </p>
      )}
      {broken.map((finding) => (
        <FindingSection key={finding.check} finding={finding} />
      ))}
    </>
  )
}

/** The API says faults in English; a Japanese reader gets the advice and the ids. */
function FindingSection({
  finding: { check, faults },
}: {
  finding: DoctorRun['findings'][number]
}) {
  const words = useWords(operator_words)
  const { language } = useLanguage()
  const japanese = language === 'ja' ? checkInJapanese(check) : null
  return (
    <section className="section">
      <h2>
        {japanese?.title ?? check} · {words.faults(faults.length)}
      </h2>
      {japanese && <p>{japanese.advice}</p>}
      <ul>
        {faults.map((fault) => (
          <li key={fault}>
            {japanese ? idsOfFault(fault).map((id) => <IdText key={id} id={id} whole />) : fault}
          </li>
        ))}
      </ul>
      {japanese && <p className="field-hint">{words.fault_hint}</p>}
    </section>
  )
}
