import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from '../values/icon.tsx'
import './button.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is for the one action that matters, `danger` for what cannot be undone. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  icon?: IconName
  small?: boolean
  /** The action runs: the button keeps its width and takes no second click. */
  busy?: boolean
  children?: ReactNode
}

export function Button({ kind = 'plain', icon, small, busy, children, ...rest }: Props) {
  const { disabled, className = '', ...others } = rest
  const name = `button ${kind} ${small ? 'small' : ''} ${children ? '' : 'icon-only'} ${className}`
  return (
    <button
      type="button"
      {...others}
      className={name}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
