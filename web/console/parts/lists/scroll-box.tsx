import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import './scroll-box.css'

interface Props {
  /** What is scrolled, for screen readers. */
  label: string
  className?: string
  /** One element. */
  children: ReactNode
}

/**
 * Scrolls sideways what is wider than its place. It then takes the focus, so that the arrow keys scroll it:
 * what is inside may have nothing that does.
 */
export function ScrollBox({ label, className = '', children }: Props) {
  const { around, is_too_wide } = useIsTooWide()
  const scrolled = is_too_wide ? { tabIndex: 0, role: 'region', 'aria-label': label } : {}
  return (
    <div ref={around} className={`${className} ${is_too_wide ? 'too-wide' : ''}`} {...scrolled}>
      {children}
    </div>
  )
}

/** Whether what is inside is wider than its place, measured again whenever either changes. */
function useIsTooWide() {
  const around = useRef<HTMLDivElement>(null)
  const [is_too_wide, setTooWide] = useState(false)
  useLayoutEffect(() => {
    const outside = around.current
    const inside = outside?.firstElementChild
    if (!outside || !inside) return
    const measure = () => setTooWide(inside.scrollWidth > outside.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(outside)
    observer.observe(inside)
    measure()
    return () => observer.disconnect()
  }, [])
  return { around, is_too_wide }
}
