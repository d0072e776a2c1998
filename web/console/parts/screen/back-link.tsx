import { Link } from 'wouter'
import { Icon } from '../values/icon.tsx'

/** The way back to the list that a screen was opened from. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} className="back-link">
      <Icon name="left" size={14} />
      {label}
    </Link>
  )
}
