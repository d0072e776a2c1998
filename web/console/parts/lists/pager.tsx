import { useState } from 'react'
import { useUrlState } from '../../api/url-state.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'

interface Props {
  /** The cursor of the next page; null on the last one. */
  next: string | null
}

/** Pages of the server. The cursor is in the address; earlier ones are remembered here. */
export function Pager({ next }: Props) {
  const words = useWords(part_words)
  const { values, set } = useUrlState()
  const [earlier, setEarlier] = useState<readonly string[]>([])
  const { cursor = '' } = values
  if (!cursor && !next) return null
  const goBack = () => {
    set({ cursor: earlier.at(-1) ?? '' })
    setEarlier(earlier.slice(0, -1))
  }
  const showNext = () => {
    setEarlier([...earlier, cursor])
    set({ cursor: next ?? '' })
  }
  return (
    <nav className="pager" aria-label={words.next}>
      {cursor && (
        <Button small icon="left" onClick={goBack}>
          {earlier.length > 0 ? words.previous : words.first_page}
        </Button>
      )}
      {next && (
        <Button small onClick={showNext}>
          {words.next}
        </Button>
      )}
    </nav>
  )
}
