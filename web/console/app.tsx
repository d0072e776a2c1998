import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { baseOf, modeOf, useMode } from './api/mode.ts'
import { SessionProvider, useSessionQuery } from './api/session.tsx'
import { Frame } from './frame/frame.tsx'
import { Empty, ErrorState, Loading } from './parts/states.tsx'
import { Toasts } from './parts/toasts.tsx'
import { screens } from './screens.ts'
import { SignInAgain } from './screens/sign-in/sign-in-again.tsx'
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx'
import { frame_words } from './words/frame-words.ts'
import { LanguageProvider, useWords } from './words/language.tsx'

/** The client repeats what can be repeated, so a query does not. */
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 2_000 } },
})

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <Toasts>
            <SignedIn />
          </Toasts>
        </LanguageProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}

function SignedIn() {
  const { data: session, error, refetch } = useSessionQuery()
  const mode = useMode()
  if (error && session === undefined) {
    return (
      <main>
        <ErrorState error={error} retry={() => void refetch()} />
      </main>
    )
  }
  if (session === undefined) return <div className="starting" role="status" aria-label="Kaikei" />
  if (session === null) return <SignInScreen />
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
  const first = screens.find(({ menu }) => menu)?.path ?? '/'
  const is_in_mode = modeOf(location.pathname) !== null
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {screens.map(({ path, Show }) => (
          <Route key={path} path={path}>
            <Show />
          </Route>
        ))}
        <Route path="/">
          <Redirect to={first} replace />
        </Route>
        <Route>
          {is_in_mode ? (
            <Empty icon="search" title={words.nothing_here} />
          ) : (
            <Redirect to={first} replace />
          )}
        </Route>
      </Switch>
    </Suspense>
  )
}
