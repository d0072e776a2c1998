// The ceiling for durable writes: the body is validated as by the echo server, and two rows are
// committed before the response. With BENCH_SHARED, requests that arrive during a statement share the
// next one.
import { fastify } from 'fastify'
import pg from 'pg'
import { echo_schema } from './echo-schema.ts'

interface Body {
  transaction_token_id: string
  amount: number
  currency: string
  metadata?: object
}

const pool = new pg.Pool({ ...JSON.parse(process.env.BENCH_CONNECTION ?? '{}'), max: 10 })
await pool.query(`
  create schema if not exists bench;
  create table if not exists bench.charges (id uuid primary key, token_id uuid not null,
    amount bigint not null, currency text not null, metadata jsonb not null);
  create table if not exists bench.events (id uuid primary key, data json not null)`)

const text = `with input as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::jsonb[])
      as input (id, token_id, amount, currency, metadata)
  ), made as (insert into bench.charges select * from input)
  insert into bench.events select uuidv7(), row_to_json(input) from input`

async function insert(bodies: readonly Body[]): Promise<void> {
  const values = [
    bodies.map(() => crypto.randomUUID()),
    bodies.map(({ transaction_token_id }) => transaction_token_id),
    bodies.map(({ amount }) => amount),
    bodies.map(({ currency }) => currency),
    bodies.map(({ metadata }) => JSON.stringify(metadata ?? {})),
  ]
  await pool.query({ name: 'insert', text, values })
}

const max_statements = 2
let waiting: { body: Body; done: (error?: unknown) => void }[] = []
let running = 0

function runWaiting(): void {
  if (running >= max_statements || waiting.length === 0) return
  const batch = waiting
  waiting = []
  running += 1
  const finish = (error?: unknown) => {
    for (const { done } of batch) done(error)
    running -= 1
    runWaiting()
  }
  insert(batch.map(({ body }) => body)).then(() => finish(), finish)
}

function insertTogether(body: Body): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.push({ body, done: (error) => (error ? reject(error) : resolve()) })
    setImmediate(runWaiting)
  })
}

const app = fastify()
const keep = process.env.BENCH_SHARED ? insertTogether : (body: Body) => insert([body])
app.post<{ Body: Body }>(
  '/charges',
  { schema: { body: echo_schema, response: { 200: echo_schema } } },
  async ({ body }) => {
    await keep(body)
    return body
  },
)
process.stdout.write(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
