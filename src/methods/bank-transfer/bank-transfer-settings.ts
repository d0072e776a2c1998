import Type from 'typebox'
import { nullable } from '../../core/api/schemas.ts'
import { count, duration, unused, without_effect } from '../../core/api/setting-values.ts'
import { match_amounts } from '../../core/payments/match-amounts.ts'
import { formatDuration } from '../../core/time/durations.ts'
import { settingsOf } from '../contract/payment-method.ts'
import { expiration_time_shift, not_shifted } from '../pieces/deposit-settings.ts'
import { bank_transfer_facts } from './bank-transfer-facts.ts'

export const bank_transfer_settings = settingsOf(
  'bank_transfer',
  'BankTransferConfiguration',
  { about: 'Bank transfers.', accepted: 'Whether bank transfers are accepted.' },
  {
    automatic_extension_enabled: unused(),
    remind_notification_enabled: unused(),
    charge_request_notification_enabled: unused(),
    charge_request_canceled_notification_enabled: unused(),
    charge_expired_notification_enabled: unused(),
    deposit_received_notification_enabled: unused(),
    deposit_insufficient_notification_enabled: unused(),
    deposit_exceeded_notification_enabled: unused(),
    extension_notification_enabled: unused(),
    match_amount: nullable(
      Type.Enum([...match_amounts], {
        description: 'What happens to a transfer of another amount. Default: exact.',
      }),
    ),
    expiration: duration('How long customers can pay. Default: 7 days.'),
    expiration_time_shift,
    virtual_bank_accounts_threshold: Type.Optional(count(without_effect)),
    virtual_bank_accounts_fetch_count: Type.Optional(count(without_effect)),
    default_extension_period: Type.Optional(duration(without_effect)),
    maximum_extension_period: Type.Optional(duration(without_effect)),
    remind_notification_period: Type.Optional(duration(without_effect)),
  },
  {
    match_amount: 'exact',
    expiration: formatDuration(bank_transfer_facts.deposit.default_ms),
    expiration_time_shift: not_shifted,
    automatic_extension_enabled: false,
    // The service sends no mails about bank transfers.
    remind_notification_enabled: false,
    charge_request_notification_enabled: false,
    charge_request_canceled_notification_enabled: false,
    charge_expired_notification_enabled: false,
    deposit_received_notification_enabled: false,
    deposit_insufficient_notification_enabled: false,
    deposit_exceeded_notification_enabled: false,
    extension_notification_enabled: false,
  },
)
