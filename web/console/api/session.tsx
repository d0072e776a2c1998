import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { type ConsoleSession, callApiAsIs, isSessionEnd } from './call-api.ts'
import { currentMode, useMode } from './mode.ts'

/** The rights of a session depend on the mode. */
export const sessionKey = (mode = currentMode()) => ['session', mode] as const

/** Null: there is no session. */
export function useSessionQuery() {
  const mode = useMode()
  return useQuery({
    queryKey: sessionKey(mode),
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<ConsoleSession | null> => {
      try {
        return await callApiAsIs((api) => api.users.getConsoleSession())
      } catch (error) {
        if (isSessionEnd(error)) return null
        throw error
      }
    },
    staleTime: 60_000,
  })
}

const Session = createContext<ConsoleSession | null>(null)
export const SessionProvider = Session.Provider

/** The person who is signed in; only inside of the frame. */
export function useSession(): ConsoleSession {
  const session = useContext(Session)
  if (!session) throw new Error('There is no session outside of the frame.')
  return session
}

/** Whether the role of the person allows it: `payments:write`. The server decides in any case. */
export function useCan(right: string): boolean {
  return useSession().rights.includes(right)
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await callApiAsIs((api) => api.users.deleteConsoleSession())
    queries.setQueryData(sessionKey(), null)
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }
}
