import { useState } from 'react'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Icon } from './icon.tsx'

const head = 8
const tail = 4

/** Shortened in the middle: both ends are what people compare. */
function shortId(id: string): string {
  return id.length > head + tail + 3 ? `${id.slice(0, head)}…${id.slice(-tail)}` : id
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies on click and confirms it briefly. */
export function useCopy(): [is_copied: boolean, copy: (text: string) => void] {
  const [is_copied, setCopied] = useState(false)
  const copy = (text: string) => {
    void copyText(text).then((done) => {
      setCopied(done)
      setTimeout(() => setCopied(false), 1500)
    })
  }
  return [is_copied, copy]
}

/** An id: monospace, shortened, whole in the title, copied on click. */
export function IdText({ id, whole = false }: { id: string; whole?: boolean }) {
  const words = useWords(part_words)
  const [is_copied, copy] = useCopy()
  return (
    <button
      type="button"
      className="id-text"
      title={id}
      aria-label={words.copy_id(id)}
      onClick={(event) => {
        event.stopPropagation()
        copy(id)
      }}
    >
      <span>{whole ? id : shortId(id)}</span>
      <Icon name={is_copied ? 'check' : 'copy'} size={14} />
      <span role="status" className="unseen">
        {is_copied && words.copied}
      </span>
    </button>
  )
}
