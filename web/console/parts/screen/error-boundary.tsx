import { Component, type ReactNode } from 'react'
import { ErrorState } from './states.tsx'

interface Props {
  children: ReactNode
}

/** What a screen that fails while it is drawn leaves behind: an error with a way on, not an empty page. */
export class ErrorBoundary extends Component<Props, { failed: boolean; error: unknown }> {
  override state = { failed: false, error: null }

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error }
  }

  override render(): ReactNode {
    const { failed, error } = this.state
    if (!failed) return this.props.children
    return <ErrorState error={error} retry={() => location.reload()} whole />
  }
}
