import { type ReactNode, useEffect } from 'react'

/** The heading of a screen, which also names the tab of the browser. */
export function ScreenTitle({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Kaikei`
  }, [title])
  return (
    <div className="screen-head">
      <h1>{title}</h1>
      {children}
    </div>
  )
}
