import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'wouter'
import { main_content } from '../screen/main-content.ts'
import { Icon, type IconName } from '../values/icon.tsx'
import './menu.css'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal container={main_content}>
        <Base.Positioner className="floating" sideOffset={6} align={align}>
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  icon?: IconName
  children: ReactNode
  href?: string
  onClick?: () => void
}

export function MenuItem({ icon, children, href, onClick }: ItemProps) {
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  )
  if (href) {
    return (
      <Base.Item className="menu-item" render={<Link href={href} />}>
        {content}
      </Base.Item>
    )
  }
  return (
    <Base.Item className="menu-item" onClick={onClick}>
      {content}
    </Base.Item>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: ReactNode])[]
  choose: (value: string) => void
}

/** One of several; the chosen one has a check. */
export function MenuChoice({ label, value, options, choose }: ChoiceProps) {
  return (
    <Base.RadioGroup value={value} onValueChange={(wanted) => choose(String(wanted))}>
      <Base.Group>
        <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
        {options.map(([option, text]) => (
          <Base.RadioItem key={option} value={option} className="menu-item choice" closeOnClick>
            <span className="menu-check">
              <Base.RadioItemIndicator>
                <Icon name="check" />
              </Base.RadioItemIndicator>
            </span>
            <span className="menu-text">{text}</span>
          </Base.RadioItem>
        ))}
      </Base.Group>
    </Base.RadioGroup>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  disabled?: boolean
  change: (checked: boolean) => void
}

/** On or off; the menu stays open. */
export function MenuCheck({ label, checked, disabled = false, change }: CheckProps) {
  return (
    <Base.CheckboxItem
      className="menu-item choice"
      checked={checked}
      disabled={disabled}
      onCheckedChange={change}
      closeOnClick={false}
    >
      <span className="menu-check">
        <Base.CheckboxItemIndicator>
          <Icon name="check" />
        </Base.CheckboxItemIndicator>
      </span>
      {label}
    </Base.CheckboxItem>
  )
}

export function MenuLine() {
  return <Base.Separator className="menu-line" />
}
