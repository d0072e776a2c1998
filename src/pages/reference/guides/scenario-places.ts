import type { TestScenario } from '../../../methods/contract/payment-method.ts'
import { test_scenarios } from '../../../simulator/test-scenarios.ts'

/** The operations that each group of test scenarios concerns. */
export const scenario_places: Readonly<Record<string, readonly string[]>> = {
  'card or e-mail': ['createToken', 'createCharge'],
  'scanned QR code': ['createToken'],
  'waiting charge': ['completeTestCharge', 'getIssuerToken'],
  deposit: ['createTestDeposit'],
  dispute: ['createTestDispute', 'completeTestDispute', 'updateDispute'],
  'customs declaration': ['createCustomsDeclaration'],
}

/** The test scenarios of an operation, in the order of the table. */
export function scenariosOf(operation_id: string): readonly TestScenario[] {
  return test_scenarios.filter(({ group }) => scenario_places[group]?.includes(operation_id))
}
