import type { ReactNode } from 'react'
import { IdText } from '../values/id-text.tsx'
import { BackLink } from './back-link.tsx'
import { useScreenTitle } from './screen-title.tsx'
import { ErrorState, Loading } from './states.tsx'

interface Head {
  /** The largest text on the screen: the amount, or a name. */
  readonly heading: ReactNode
  /** The heading is a name, which can be long. */
  readonly is_name?: true
  readonly badge?: ReactNode
  readonly id?: string
  /** Beside the badge, or in lines below. */
  readonly notes?: ReactNode
}

interface Props<Data> {
  /** The list that the thing is from. */
  back: { readonly href: string; readonly label: string }
  query: {
    readonly data: Data | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  /** The name in the tab of the browser, such as "Payment ¥1,200". */
  titleOf: (data: Data) => string
  head: (data: Data) => Head
  children: (data: Data) => ReactNode
}

/** The frame of every screen about one thing: the way back, what it is, how it stands, then its parts. */
export function RecordScreen<Data>({ back, query, titleOf, head, children }: Props<Data>) {
  const { data, error, refetch } = query
  return (
    <>
      <BackLink {...back} />
      {data !== undefined ? (
        <Record title={titleOf(data)} head={head(data)}>
          {children(data)}
        </Record>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} whole />
      ) : (
        <Loading lines={9} />
      )}
    </>
  )
}

function Record({ title, head, children }: { title: string; head: Head; children: ReactNode }) {
  useScreenTitle(title)
  return (
    <>
      <header className="record-head">
        <h1 aria-label={title} className={head.is_name && 'record-name'}>
          {head.heading}
        </h1>
        {head.badge}
        {head.id && <IdText id={head.id} />}
        {head.notes}
      </header>
      {children}
    </>
  )
}
