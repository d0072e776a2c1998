import type { ReactNode } from 'react'
import './key-values.css'

/** Names and values; a value that is missing is a dash. */
export function KeyValues({ rows }: { rows: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className="key-values">
      {rows.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their places
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value ?? <span className="none">–</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
