import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { baseOf, modeOf, useMode } from './api/mode.ts'
import { SessionProvider, useSessionQuery } from './api/session.tsx'
import { Frame } from './frame/frame.tsx'
import { Toasts } from './parts/overlays/toasts.tsx'
import { ErrorBoundary } from './parts/screen/error-boundary.tsx'
import { loadedLater } from './parts/screen/loaded-later.ts'
import { Empty, ErrorState, Loading } from './parts/screen/states.tsx'
import { SignInAgain } from './screens/sign-in/sign-in-again.tsx'
import { screens } from './screens.ts'
import { frame_words } from './words/frame-words.ts'
import { LanguageProvider, useWords } from './words/language.tsx'

const starting = <div className="starting" role="status" aria-label="Kaikei" />
/** A visit with a session does not need it. */
const SignInScreen = loadedLater(
  () => import('./screens/sign-in/sign-in-screen.tsx'),
  'SignInScreen',
)

/**
 * The client repeats what can be repeated, so a query does not. Without a connection a call fails, and the
 * screen says so, instead of waiting for one.
 */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** The first screen. */
const first_path = screens.find(({ menu }) => menu)?.path ?? '/'

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <ErrorBoundary>
            <Toasts>
              <SignedIn />
            </Toasts>
          </ErrorBoundary>
        </LanguageProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}

function SignedIn() {
  const { data: session, error, refetch } = useSessionQuery()
  const mode = useMode()
  const [path] = useLocation()
  if (error && session === undefined) {
    return (
      <main>
        <ErrorState error={error} retry={() => void refetch()} whole />
      </main>
    )
  }
  if (session === undefined) return starting
  if (session === null) {
    return (
      <Suspense fallback={starting}>
        <SignInScreen />
      </Suspense>
    )
  }
  if (modeOf(path) === null) {
    // An address without a mode: the same place in test mode.
    const place = path.replace(/^\/console\/?/, '/')
    const to = baseOf(mode) + (place === '/' ? first_path : place + location.search)
    return <Redirect to={to} replace />
  }
  return (
    <SessionProvider value={session}>
      <Router key={mode} base={baseOf(mode)}>
        <Frame>
          <Screens />
        </Frame>
      </Router>
      <SignInAgain email={session.user.email} />
    </SessionProvider>
  )
}

function Screens() {
  const words = useWords(frame_words)
  const [path] = useLocation()
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<Loading />}>
        <Switch>
          {screens.map(({ path, Show }) => (
            <Route key={path} path={path}>
              <Show />
            </Route>
          ))}
          {first_path !== '/' && (
            <Route path="/">
              <Redirect to={first_path} replace />
            </Route>
          )}
          <Route>
            <Empty icon="search" title={words.nothing_here} whole />
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}
