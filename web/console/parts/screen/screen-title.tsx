import { type ReactNode, useEffect } from 'react'

/** Names the tab of the browser. */
export function useScreenTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Kaikei`
  }, [title])
}

/** The heading of a screen, with its actions. */
export function ScreenTitle({ title, children }: { title: string; children?: ReactNode }) {
  useScreenTitle(title)
  return (
    <div className="screen-head">
      <h1>{title}</h1>
      {children}
    </div>
  )
}
