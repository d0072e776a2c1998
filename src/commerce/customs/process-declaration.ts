import { sensitive } from '../../core/cards/sensitive.ts'
import { provider_policy } from '../../core/limits/retry-policies.ts'
import { type ChargeError, failureOf } from '../../core/payments/charge-errors.ts'
import type { CustomsResult } from '../../core/payments/customs.ts'
import { nextState } from '../../core/payments/states.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import { emit } from '../../events/emit.ts'
import { providerOf } from '../../open-providers.ts'
import { type Charge, getCharge } from '../../payments/charges/charge.ts'
import { operationOf, takenOf } from '../../payments/charges/process/charge-operations.ts'
import { awaitProvider } from '../../payments/provider-calls/await-provider.ts'
import type { Attempt } from '../../payments/provider-calls/provider-responses.ts'
import {
  askAfter,
  nextQuestion,
  runOperation,
} from '../../payments/provider-calls/run-operation.ts'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import type { CustomsOperation } from '../../providers/provider-operations.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { reschedule, stillClaimed } from '../../store/due/due-work.ts'
import {
  type CustomsDeclaration,
  openDeclaration,
  recordDeclaration,
} from './customs-declaration.ts'

/** Declares a charge to customs; when that was begun before, it is inquired first. */
export async function processDeclaration(
  service: Service,
  declaration: CustomsDeclaration,
  deadline: Deadline,
): Promise<void> {
  if (declaration.status !== 'pending') return
  const { merchant_id, mode, id, store_id, charge_id } = declaration
  const charge = await getCharge(service, { merchant_id, mode }, { store_id, charge_id })
  const provider = providerOf(service.providers, charge)
  if (!provider && charge.provider !== null) {
    return awaitProvider(service, 'customs_declarations', declaration)
  }
  const outcome: Outcome = provider
    ? await declare(service, { provider, row: declaration, deadline }, charge, declaration)
    : { outcome: 'refused', code: 504, detail: null }
  const { customs = {} } = 'customs' in outcome ? outcome : {}
  if (outcome.outcome === 'approved') {
    return settleDeclaration(service, declaration, 'settle', customs, null)
  }
  if (outcome.outcome === 'refused') {
    const { action, error } = failureOf(outcome)
    return settleDeclaration(service, declaration, action, customs, error)
  }
  // An operation that may have been declared must not be declared again: the worker inquires until its
  // outcome is known.
  const waited_ms = service.clock.now() - declaration.updated_on.getTime()
  if (waited_ms >= provider_policy.unknown_bound_ms) {
    const about = { merchant_id, customs_declaration_id: id }
    service.log.error(
      about,
      'the outcome of a customs declaration is unknown: check it at the provider',
    )
  }
  const due_on = nextQuestion(service, askAfter(outcome))
  await reschedule(service.db, 'customs_declarations', declaration, due_on)
}

async function declare(
  service: Service,
  attempt: Attempt,
  charge: Charge,
  declaration: CustomsDeclaration,
): Promise<Outcome> {
  const { provider } = attempt
  const { certificate_id, certificate_name, ...open } = openDeclaration(service, declaration)
  const { attempt_id } = declaration
  const taken = takenOf(charge)
  const asked = await operationOf(service, provider, charge, attempt_id, charge.provider_amount)
  const operation: CustomsOperation = {
    ...asked,
    ...taken,
    ...open,
    certificate_id: sensitive(certificate_id),
    certificate_name: sensitive(certificate_name),
  }
  const send = (limit: CallLimit) => provider.declareCustoms(operation, limit)
  return runOperation(service, attempt, { kind: 'declare_customs', operation, taken, send })
}

async function settleDeclaration(
  service: Service,
  declaration: CustomsDeclaration,
  action: 'settle' | 'reject' | 'fail_technically',
  customs_result: CustomsResult,
  error: ChargeError | null,
): Promise<void> {
  const status = nextState('customs_declaration', declaration.status, action)
  if (!status || status === 'pending') return
  await inTransaction(service, async (tx) => {
    const { merchant_id, id, store_id, mode } = declaration
    const at = now(tx)
    const ended = {
      error: error && JSON.stringify(error),
      declaration_result: JSON.stringify(customs_result),
    }
    const settled = await tx.db
      .updateTable('customs_declarations')
      .set({ status, ...ended, updated_on: at, due_on: null })
      .where(stillClaimed(declaration, declaration.status))
      .returningAll()
      .executeTakeFirst()
    if (!settled) return
    const { customs, merchant_customs_no } = declaration
    await tx.db
      .insertInto('customs_attempts')
      .values({
        merchant_id,
        id: declaration.attempt_id,
        declaration_id: id,
        customs,
        merchant_customs_no,
        status,
        ...ended,
        created_on: declaration.updated_on,
        finished_on: at,
      })
      .execute()
    const data = recordDeclaration(settled)
    await emit(tx, 'customs_declaration_finished', {
      merchant_id,
      store_id,
      mode,
      resource_id: id,
      data,
    })
    tx.afterCommit(() => tx.changes.notify(id))
  })
}
