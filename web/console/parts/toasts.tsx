import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { part_words } from '../words/part-words.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import './toasts.css'

/** Says that something was done: `toast(words.refunded)`. Errors stay where they happened. */
export function useToast(): (text: string) => void {
  const { add } = Toast.useToastManager()
  return (text) => void add({ title: text })
}

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={5000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Shown() {
  const words = useWords(part_words)
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Icon name="check" />
      <Toast.Title className="toast-title" />
      <Toast.Close
        render={<Button kind="quiet" icon="close" small aria-label={words.close} />}
      />
    </Toast.Root>
  ))
}
