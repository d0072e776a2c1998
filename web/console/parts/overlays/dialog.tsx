import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import './dialog.css'

interface Props {
  open: boolean
  close: () => void
  title: string
  text?: ReactNode
  /** Neither a click beside it nor Escape closes it. */
  stays?: boolean
  wide?: boolean
  children: ReactNode
}

/** A dialog with a title; the content has its own form and buttons. */
export function Dialog({ open, close, title, text, stays, wide, children }: Props) {
  const words = useWords(part_words)
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={stays === true}
      onOpenChange={(wanted, { reason }) => {
        if (!wanted && !(stays && reason === 'escape-key')) close()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`dialog ${wide ? 'wide' : ''}`}>
          <header>
            <Base.Title className="dialog-title">{title}</Base.Title>
            {!stays && (
              <Base.Close
                render={<Button kind="quiet" icon="close" small aria-label={words.close} />}
              />
            )}
          </header>
          {text && <Base.Description className="dialog-text">{text}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** The buttons of a dialog: what it does on the right, and the way out. */
export function DialogActions({ children, close }: { children: ReactNode; close?: () => void }) {
  const words = useWords(part_words)
  return (
    <footer className="dialog-actions">
      {close && <Button onClick={close}>{words.cancel}</Button>}
      {children}
    </footer>
  )
}
