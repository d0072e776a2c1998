import Type from 'typebox'
import { nullable } from '../../core/api/schemas.ts'
import { flag, group } from '../../core/api/setting-values.ts'

/** The setting of a method by deposit, and what holds without it. */
export const expiration_time_shift = group(
  'ExpirationTimeShift',
  {
    enabled: flag('Whether the expiry is moved to a time of its day. Default: false.'),
    value: nullable(
      Type.String({
        format: 'time_of_day',
        description: 'The time of day with its zone, such as 23:59:59+09:00.',
      }),
    ),
  },
  'The time of day at which payments expire.',
)

export const not_shifted = { enabled: false } as const
