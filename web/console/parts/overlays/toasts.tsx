import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { Icon } from '../values/icon.tsx'
import './toasts.css'

interface Shown {
  readonly id: number
  readonly text: string
}

const Say = createContext<(text: string) => void>(() => {})

/** Says that something was done: `toast(words.refunded)`. Errors stay where they happened. */
export function useToast(): (text: string) => void {
  return useContext(Say)
}

const shown_ms = 6_000
let count = 0

export function Toasts({ children }: { children: ReactNode }) {
  const words = useWords(part_words)
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const remove = useCallback(
    (id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)),
    [],
  )
  const say = useCallback(
    (text: string) => {
      count += 1
      const id = count
      setToasts((all) => [...all.slice(-2), { id, text }])
      setTimeout(() => remove(id), shown_ms)
    },
    [remove],
  )
  return (
    <Say value={say}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <div key={id} className="toast">
            <Icon name="check" />
            <p>{text}</p>
            <Button
              kind="quiet"
              icon="close"
              small
              aria-label={words.close}
              onClick={() => remove(id)}
            />
          </div>
        ))}
      </div>
    </Say>
  )
}
