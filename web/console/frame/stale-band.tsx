import { useStaleSince } from '../api/stale-data.ts'
import { Button } from '../parts/forms/button.tsx'
import { useTimeFrame } from '../parts/values/time-text.tsx'
import { formatExactTime } from '../words/format-values.ts'
import { frame_words } from '../words/frame-words.ts'
import { useLanguage, useWords } from '../words/language.tsx'

/** What is shown could not be read again: says so, and from when it is. */
export function StaleBand() {
  const words = useWords(frame_words)
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const { since, readAgain } = useStaleSince()
  if (since === null) return null
  return (
    <div className="stale-band" role="status">
      <span>{words.stale(formatExactTime(since, language, zone))}</span>
      <Button kind="quiet" small onClick={readAgain}>
        {words.read_again}
      </Button>
    </div>
  )
}
