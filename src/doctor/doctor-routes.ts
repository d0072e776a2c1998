import type { Selectable } from 'kysely'
import Type from 'typebox'
import { pathOf, type UserPath } from '../accounts/users/user.ts'
import { operation, type Route } from '../api/routes/operation.ts'
import { described, named } from '../core/api/described-schemas.ts'
import { Id, Instant, NoFields, nullable } from '../core/api/schemas.ts'
import { minute_ms } from '../core/time/clock.ts'
import { newRow, now, type Service } from '../service.ts'
import type { DoctorRunTable } from '../store/tables/accounts/user-tables.ts'
import { dataFindings } from './data-findings.ts'

type Run = Selectable<DoctorRunTable>

/** A run that takes longer has lost its process. */
const max_run_ms = 30 * minute_ms
const run_states = ['running', 'finished', 'lost'] as const

const FindingView = named(
  'DoctorFinding',
  Type.Object({
    check: described(Type.String(), 'The checked facts.'),
    faults: Type.Array(Type.String(), {
      description: 'The faults and the advice for each; empty when there are none.',
    }),
  }),
  'The result of a check of the data.',
)
const RunView = named(
  'DoctorRun',
  Type.Object({
    id: described(nullable(Id), 'The id of the run; null when there was none yet.'),
    status: described(
      nullable(Type.Enum([...run_states])),
      'Whether it is `running`, `finished`, or was `lost` with its process.',
    ),
    started_on: described(nullable(Instant), 'The start time.'),
    finished_on: described(nullable(Instant), 'The end time; null before it.'),
    findings: Type.Array(FindingView, { description: 'The results, when it is finished.' }),
  }),
  'A run of all checks of the data.',
)

/** The checks of the data, for operators: the same as of the command. */
export const doctorRoutes: readonly Route[] = [
  operation({
    at: 'GET /operator/doctor',
    id: 'getDoctorRun',
    client: 'operator.getDoctorRun',
    tag: 'operator',
    summary: 'Get the last check of the data',
    right: 'operator',
    responses: { 200: RunView },
    handle: async ({ service }) => viewRun(service, await lastRun(service)),
  }),

  operation({
    at: 'POST /operator/doctor',
    id: 'startDoctorRun',
    client: 'operator.startDoctorRun',
    tag: 'operator',
    summary: 'Start a check of the data',
    right: 'operator',
    body: NoFields,
    responses: { 202: RunView },
    handle: async ({ service, caller }) => {
      const last = await lastRun(service)
      if (last && stateOf(service, last) === 'running') return viewRun(service, last)
      return viewRun(service, await startRun(service, pathOf(caller)))
    },
  }),
]

async function lastRun(service: Service): Promise<Run | null> {
  const runs = service.db.selectFrom('doctor_runs').selectAll().orderBy('id', 'desc').limit(1)
  return (await runs.executeTakeFirst()) ?? null
}

/** It continues after the response: scanning all tables takes minutes where there is much. */
async function startRun(service: Service, { merchant_id, id: user_id }: UserPath): Promise<Run> {
  const { id, created_on: started_on } = newRow(service)
  const run = await service.db
    .insertInto('doctor_runs')
    .values({ merchant_id, id, user_id, started_on })
    .returningAll()
    .executeTakeFirstOrThrow()
  finishRun(service, run).catch((error) => {
    service.log.error(
      { err: error, doctor_run_id: id },
      'the data check failed before its end: run kaikei doctor',
    )
  })
  return run
}

async function finishRun(service: Service, { merchant_id, id }: Run): Promise<void> {
  const findings = await dataFindings(service.db, service.config, 'one by one')
  await service.db
    .updateTable('doctor_runs')
    .set({ findings: JSON.stringify(findings), finished_on: now(service) })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

function stateOf(service: Service, { started_on, finished_on }: Run): (typeof run_states)[number] {
  if (finished_on) return 'finished'
  return service.clock.now() - started_on.getTime() < max_run_ms ? 'running' : 'lost'
}

function viewRun(service: Service, run: Run | null) {
  return {
    id: run?.id ?? null,
    status: run && stateOf(service, run),
    started_on: run?.started_on.toISOString() ?? null,
    finished_on: run?.finished_on?.toISOString() ?? null,
    findings: run?.findings ?? [],
  }
}
