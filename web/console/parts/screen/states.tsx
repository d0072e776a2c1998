import type { ReactNode } from 'react'
import { KaikeiError } from '../../api/call-api.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { errorText, part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { Icon, type IconName } from '../values/icon.tsx'
import { IdText } from '../values/id-text.tsx'
import './states.css'

interface StateProps {
  icon: IconName
  title: string
  /** It is all that the screen shows. */
  whole?: boolean | undefined
  children?: ReactNode
  actions?: ReactNode
}

function State({ icon, title, whole, children, actions }: StateProps) {
  const Heading = whole ? 'h1' : 'h2'
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} size={20} />
      </span>
      <Heading>{title}</Heading>
      {children && <div className="state-text">{children}</div>}
      {actions && <div className="state-actions">{actions}</div>}
    </div>
  )
}

interface EmptyProps {
  icon: IconName
  /** One sentence about the future content. */
  title: string
  text?: string
  /** One action. */
  action?: ReactNode
  /** One link to the guide. */
  guide?: { href: string; label: string }
  whole?: boolean
}

export function Empty({ icon, title, text, action, guide, whole }: EmptyProps) {
  const link = guide && (
    <a className="state-guide" href={guide.href} target="_blank" rel="noreferrer">
      {guide.label}
      <Icon name="external" size={14} />
    </a>
  )
  return (
    <State
      icon={icon}
      title={title}
      whole={whole}
      actions={
        (action || link) && (
          <>
            {action}
            {link}
          </>
        )
      }
    >
      {text && <p>{text}</p>}
    </State>
  )
}

interface ErrorProps {
  error: unknown
  retry?: () => void
  whole?: boolean
}

/** The failure, the id of the request, and another attempt; a missing right is named as such. */
export function ErrorState({ error, retry, whole }: ErrorProps) {
  const words = useWords(part_words)
  const { language } = useLanguage()
  if (error instanceof KaikeiError && error.code === 'INVALID_PERMISSIONS')
    return <NoPermission whole={whole} />
  const request_id = error instanceof KaikeiError ? error.request_id : null
  const is_missing = error instanceof KaikeiError && error.status === 404
  return (
    <div role="alert">
      <State
        icon="warning"
        whole={whole}
        title={is_missing ? words.not_found : words.failed}
        actions={retry && !is_missing && <Button onClick={() => retry()}>{words.try_again}</Button>}
      >
        <p>{is_missing ? words.not_found_text : errorText(error, language)}</p>
        {request_id && (
          <p className="state-request">
            {words.request_id} <IdText id={request_id} />
          </p>
        )}
      </State>
    </div>
  )
}

export function NoPermission({ whole, text }: { whole?: boolean | undefined; text?: string }) {
  const words = useWords(part_words)
  return (
    <State icon="lock" title={words.no_permission} whole={whole}>
      <p>{text ?? words.no_permission_text}</p>
    </State>
  )
}

/** Grey lines in the place of what is being loaded; nothing jumps when it arrives. */
export function Loading({ lines = 6 }: { lines?: number }) {
  const words = useWords(part_words)
  return (
    <div className="loading" role="status" aria-label={words.loading}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <Skeleton key={at} width={(['90%', '70%', '80%'] as const)[at % 3] ?? '80%'} />
      ))}
    </div>
  )
}

export function Skeleton({ width }: { width: string }) {
  return <span className="skeleton" style={{ width }} aria-hidden="true" />
}
