import type { RouteModule } from '../route.ts'
import {
  CreateVerification,
  createVerification,
  getVerification,
  PatchVerification,
  patchVerification,
  VerificationView,
  viewVerification,
} from './verification.ts'

const tags = ['merchant']
const config = { access: { level: 'merchant' } } as const

export const verificationRoutes: RouteModule = (http) => {
  http.get(
    '/verification',
    {
      config,
      schema: {
        tags,
        summary: 'Read the verification of the merchant',
        operationId: 'getVerification',
        response: { 200: VerificationView },
      },
    },
    async ({ service, caller }) =>
      viewVerification(service, await getVerification(service, caller.merchant_id)),
  )

  http.post(
    '/verification',
    {
      config,
      schema: {
        tags,
        summary: 'Send the verification of the merchant',
        operationId: 'createVerification',
        body: CreateVerification,
        response: { 201: VerificationView },
      },
    },
    async ({ service, caller, body }, reply) => {
      const made = await createVerification(service, caller.merchant_id, body)
      reply.code(201)
      return viewVerification(service, made)
    },
  )

  http.patch(
    '/verification',
    {
      config,
      schema: {
        tags,
        summary: 'Change the verification of the merchant',
        operationId: 'updateVerification',
        body: PatchVerification,
        response: { 200: VerificationView },
      },
    },
    async ({ service, caller, body }) =>
      viewVerification(service, await patchVerification(service, caller.merchant_id, body)),
  )
}
