import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { main_content } from '../screen/main-content.ts'
import './menu.css'

interface Props {
  trigger: ReactElement
  label: string
  open: boolean
  setOpen: (open: boolean) => void
  children: ReactNode
}

/** A small panel with a form beside its button. */
export function Popover({ trigger, label, open, setOpen, children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={setOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={main_content}>
        <Base.Positioner className="floating" sideOffset={6} align="start">
          <Base.Popup className="popover" aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
