import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useRead } from '../api/api-hooks.ts'
import { readStored, writeStored } from '../api/url-state.ts'

interface Store {
  readonly id: string
  readonly name: string
}

interface StoreChoice {
  readonly stores: readonly Store[]
  /** Null: all stores of the merchant. */
  readonly store_id: string | null
  readonly choose: (id: string | null) => void
}

const Chosen = createContext<StoreChoice>({ stores: [], store_id: null, choose: () => {} })

const stored_name = 'console_store'

export function StoreChoiceProvider({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState(() => readStored(stored_name))
  const { data } = useRead((api) => api.stores.list({ limit: 100 }))
  const choice = useMemo(() => {
    const stores = data?.items ?? []
    const store_id = stores.find(({ id }) => id === wanted)?.id ?? null
    const choose = (id: string | null) => {
      writeStored(stored_name, id)
      setWanted(id)
    }
    return { stores, store_id, choose }
  }, [data, wanted])
  return <Chosen value={choice}>{children}</Chosen>
}

/** The store of the whole console; lists are those of this store. */
export function useStoreChoice(): StoreChoice {
  return useContext(Chosen)
}
