import type { Db } from '../../tables/db.ts'

const shared = new WeakMap<Db, Db>()

/** The connections for shared statements, in addition to those of a pool. */
export function sharedDb(db: Db): Db {
  return shared.get(db) ?? db
}

export function shareConnections(db: Db, sharing: Db): void {
  shared.set(db, sharing)
}
