import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import type { Caller } from '../../core/access/caller.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { Instant, nullable } from '../../core/api/schemas.ts'
import { readDuration } from '../../core/time/durations.ts'
import { addCalendar } from '../../core/time/schedule.ts'
import { readInstant } from '../../core/typed/formats.ts'
import type { Service } from '../../service.ts'
import { moveClock } from './move-clock.ts'
import { readUpcoming, Upcoming, UpcomingQuery } from './upcoming.ts'

const ClockView = named(
  'TestClock',
  Type.Object({
    now: described(Instant, 'The time of test mode for this merchant.'),
    /** How far test mode is ahead of the machine. */
    ahead_ms: described(Type.Integer(), 'The lead of test mode over real time, in milliseconds.'),
  }),
  'The time of test mode.',
)

const Advance = named(
  'AdvanceTestClock',
  Type.Object({
    advance: described(
      Type.Optional(
        nullable(Type.String({ format: 'duration', maxLength: 40, examples: ['P1M'] })),
      ),
      'By how much to move it, as an ISO-8601 duration. Either this or `now`.',
    ),
    now: described(
      Type.Optional(nullable(Type.String({ format: 'instant' }))),
      'The time to move it to, later than now. Either this or `advance`.',
    ),
  }),
  'A new time of test mode.',
)

function viewClock(service: Service, { merchant_id }: Caller) {
  const wall_ms = service.wall_clock.now()
  const ahead_ms = service.clocks.aheadAt(merchant_id, wall_ms)
  return { now: new Date(wall_ms + ahead_ms).toISOString(), ahead_ms }
}

/** Live mode has no clock that could be moved. */
function requireTestMode({ mode }: Caller): void {
  if (mode === 'live') fail('INVALID_PERMISSIONS', { message: 'Live mode has the real time only.' })
}

const latest_year = 2200

export const testClockRoutes: readonly Route[] = [
  operation({
    at: 'GET /test/clock',
    id: 'getTestClock',
    client: 'test.getClock',
    tag: 'test mode',
    summary: 'Get the test clock',
    text: 'The time of test mode for the merchant, and how far it is ahead of real time.',
    right: 'test',
    responses: { 200: ClockView },
    handle: async ({ service, caller }) => {
      requireTestMode(caller)
      return viewClock(service, caller)
    },
  }),

  operation({
    at: 'GET /test/clock/upcoming',
    id: 'getTestClockUpcoming',
    client: 'test.getClockUpcoming',
    tag: 'test mode',
    summary: 'List what is due in test mode until a time',
    text:
      'Expiries, due payments and other work that happens when the test clock is advanced ' +
      'to this time.',
    right: 'test',
    admit_as: 'list',
    query: UpcomingQuery,
    responses: { 200: Upcoming },
    handle: ({ service, caller, query }) => {
      requireTestMode(caller)
      return readUpcoming(service, caller, query.until)
    },
  }),

  operation({
    at: 'POST /test/clock',
    id: 'advanceTestClock',
    client: 'test.advanceClock',
    tag: 'test mode',
    summary: 'Advance the test clock',
    text:
      'Everything that becomes due happens in order: subscription payments, captures, expiries, ' +
      'webhook retries. The clock cannot go back.',
    right: 'test',
    admit_as: 'long',
    body: Advance,
    responses: { 200: ClockView },
    handle: async ({ service, caller, body }) => {
      requireTestMode(caller)
      const { advance, now } = body
      if (!advance === !now) {
        failField(advance ? 'now' : 'advance', advance ? 'FORBIDDEN_PARAMETER' : 'REQUIRED_VALUE')
      }
      const from = new Date(service.clocks.of(caller.merchant_id, 'test').now())
      const target = now ? readInstant(now) : advance ? addCalendar(from, advance) : null
      if (!target || (advance && readDuration(advance) === 0)) {
        failField(now ? 'now' : 'advance', 'INVALID_DURATION')
      }
      if (target < from) failField('now', 'MUST_BE_FUTURE_TIME')
      if (target.getUTCFullYear() > latest_year) failField('now', 'INVALID_FORMAT_DATE')
      await moveClock(service, caller.merchant_id, from, target)
      return viewClock(service, caller)
    },
  }),
]
