import { newId } from '../../../src/core/ids.ts'
import { payments } from '../payments.ts'
import type { TestMerchant, World } from '../world.ts'

/**
 * Gives a merchant test charges that count as if they had been created at certain times. They have no
 * event and no token: they are removed again before the ledger is checked.
 */
export async function newPast(world: World) {
  const elsewhere = payments(world, await world.merchant())
  const { id } = await elsewhere.settled({}, { data: { card_number: '4000000000000002' } })
  const { pool } = world.store
  const { rows } =
    await pool.query(`select string_agg(format('(made).%I', column_name), ', ') as made,
      string_agg(format('%I', column_name), ', ') as names from information_schema.columns
    where table_name = 'charges' and is_generated = 'NEVER'`)
  const insert = `insert into charges (${rows[0].names}) select ${rows[0].made} from (
    select jsonb_populate_record(c, jsonb_build_object('merchant_id', $2::uuid, 'id', t.id,
      'created_on', t.at)) as made
    from charges c, unnest($3::uuid[], $4::timestamptz[]) as t (id, at) where c.id = $1) as copied`
  const made: string[] = []
  return {
    chargedAt: async (merchant: TestMerchant, times: Date[]) => {
      const ids = times.map((at) => newId(at.getTime()))
      made.push(...ids)
      await pool.query(insert, [id, merchant.id, ids, times])
      await pool.query('update test_charge_counts set free = 0 where merchant_id = $1', [
        merchant.id,
      ])
    },
    forget: () => pool.query('delete from charges where id = any($1::uuid[])', [made]),
  }
}
