import { type SelectQueryBuilder, sql } from 'kysely'
import type { Service } from '../../service.ts'
import { compatibilityOf } from './compatibility.ts'

/**
 * `total_hits` of a list that is short by its nature: the stores of a merchant, the refunds of a
 * charge. Other lists have it only where one page shows all of it, because counting charges costs
 * more than reading a page of them.
 */
export async function totalOf<DB, T extends keyof DB, O>(
  { config }: Service,
  list: SelectQueryBuilder<DB, T, O>,
): Promise<{ total_hits?: number }> {
  if (!compatibilityOf(config).counts_lists) return {}
  const counted = list.clearSelect().select(sql<number>`count(*)::integer`.as('total_hits'))
  const [row] = (await counted.execute()) as { total_hits: number }[]
  return { total_hits: row?.total_hits ?? 0 }
}
