import type { ReactNode } from 'react'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { useCopy } from './id-text.tsx'
import './code-block.css'

const pieces = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?)/g

/** JSON with its strings, numbers and words coloured; any other text as it is. */
function colored(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let done = 0
  for (const match of text.matchAll(pieces)) {
    const [all, string, colon, word] = match
    const kind = colon ? 'name' : string ? 'string' : word ? 'word' : 'number'
    parts.push(text.slice(done, match.index))
    parts.push(
      <span key={match.index} className={`code-${kind}`}>
        {colon ? string : all}
      </span>,
      colon ?? '',
    )
    done = match.index + all.length
  }
  return [...parts, text.slice(done)]
}

/** Code that can be scrolled with the keyboard and copied. */
export function CodeBlock({ title, value }: { title: string; value: unknown }) {
  const words = useWords(part_words)
  const [is_copied, copy] = useCopy()
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <figure className="code-block">
      <figcaption>
        {title}
        <Button kind="quiet" small onClick={() => copy(text)}>
          {is_copied ? words.copied : words.copy}
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long code is scrolled with the keyboard */}
      <pre tabIndex={0}>
        <code>{typeof value === 'string' ? text : colored(text)}</code>
      </pre>
    </figure>
  )
}
