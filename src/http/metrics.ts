import { createServer, type Server } from 'node:http'
import type { Pool } from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void
  observeWork(kind: string, count: number): void
  /** Serves the metrics on a port of their own, apart from the API. */
  listen(host: string, port: number): Promise<Server>
}

export function newMetrics(pool: Pool): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'kaikei_http_request_seconds',
    help: 'Time to answer, by route pattern',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const work = new Counter({
    name: 'kaikei_due_work_total',
    help: 'Rows handled by the worker, by kind',
    labelNames: ['kind'],
    registers,
  })
  new Gauge({
    name: 'kaikei_database_connections',
    help: 'Database connections of this process, by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waited_for' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'kaikei_ledger_open_positions',
    help: 'What clearing accounts hold and nothing explains yet, in minor units',
    labelNames: ['account', 'currency', 'mode'],
    registers,
    async collect() {
      this.reset()
      const { rows } = await pool.query(`select account, currency, mode, sum(balance)::float8 as sum
        from ledger_balances where account in ('fx_clearing', 'suspense')
        group by 1, 2, 3 having sum(balance) <> 0`)
      for (const { account, currency, mode, sum } of rows)
        this.set({ account, currency, mode }, sum)
    },
  })
  return {
    observeRequest: (method, route, status, seconds) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    observeWork: (kind, count) => work.inc({ kind }, count),
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        const server = createServer(async (request, response) => {
          const found = request.url === '/metrics'
          response.writeHead(found ? 200 : 404, { 'content-type': registry.contentType })
          response.end(found ? await registry.metrics() : '')
        })
        server.on('error', reject)
        server.listen(port, host, () => resolve(server))
      }),
  }
}
