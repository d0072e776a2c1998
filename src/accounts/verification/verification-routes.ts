import { operation, type Route } from '../../api/routes/operation.ts'
import {
  CreateVerification,
  createVerification,
  getVerification,
  PatchVerification,
  patchVerification,
  VerificationView,
  viewVerification,
} from './verification.ts'

export const verificationRoutes: readonly Route[] = [
  operation({
    at: 'GET /verification',
    id: 'getVerification',
    client: 'merchant.getVerification',
    tag: 'merchant',
    summary: 'Get the verification of the merchant',
    text: 'The data that the merchant submitted, and the state of the verification.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    responses: { 200: VerificationView },
    handle: async ({ service, caller }) =>
      viewVerification(service, await getVerification(service, caller.merchant_id)),
  }),

  operation({
    at: 'POST /verification',
    id: 'createVerification',
    client: 'merchant.createVerification',
    tag: 'merchant',
    summary: 'Submit the verification of the merchant',
    text: 'A merchant submits its data once and changes it with PATCH. The operator then verifies it.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    errors: ['VERIFICATION_EXISTS'],
    body: CreateVerification,
    responses: { 201: VerificationView },
    handle: async ({ service, caller, body }) => {
      const created = await createVerification(service, caller.merchant_id, body)
      return viewVerification(service, created)
    },
  }),

  operation({
    at: 'PATCH /verification',
    id: 'updateVerification',
    client: 'merchant.updateVerification',
    tag: 'merchant',
    summary: 'Update the verification of the merchant',
    text: 'Only the fields that are sent change.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    body: PatchVerification,
    responses: { 200: VerificationView },
    handle: async ({ service, caller, body }) =>
      viewVerification(service, await patchVerification(service, caller.merchant_id, body)),
  }),
]
