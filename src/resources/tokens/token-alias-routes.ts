import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { fail } from '../../core/errors.ts'
import { qrSvg } from '../../core/text/qr-image.ts'
import type { RouteModule } from '../route.ts'
import {
  AliasView,
  CreateAlias,
  createAlias,
  deleteAlias,
  getAlias,
  NewAliasView,
  viewAlias,
  viewNewAlias,
} from './token-alias.ts'

const tags = ['transaction tokens']
const params = Type.Object(pathIds('store_id', 'alias_key'))

export const tokenAliasRoutes: RouteModule = (http) => {
  http.post(
    '/tokens/alias',
    {
      config: { access: { level: 'store' } },
      schema: {
        tags,
        summary: 'Give a transaction token another name for a short time',
        operationId: 'createTokenAlias',
        body: CreateAlias,
        response: { 201: NewAliasView },
      },
    },
    async ({ service, caller, body }, reply) => {
      const { store_id } = caller
      if (store_id === null) fail('INVALID_PERMISSIONS')
      reply.code(201)
      return viewNewAlias(await createAlias(service, { ...caller, store_id }, body))
    },
  )

  http.get(
    '/stores/:store_id/tokens/alias/:alias_key',
    {
      schema: {
        tags,
        summary: 'Read the transaction token behind an alias, or show its key as a QR code',
        operationId: 'getTokenAlias',
        params,
        querystring: Type.Object({
          media: Type.Enum(['json', 'qr'], {
            default: 'json',
            description: '`qr` returns a picture of the key as an SVG.',
          }),
        }),
        response: { 200: AliasView },
      },
    },
    async ({ service, caller, params, query }, reply) => {
      const { alias, token } = await getAlias(service, caller, params)
      if (query.media === 'json') return viewAlias(alias, token)
      return reply.type('image/svg+xml').send(qrSvg(alias.id) as never)
    },
  )

  http.delete(
    '/stores/:store_id/tokens/alias/:alias_key',
    {
      schema: {
        tags,
        summary: 'End an alias of a transaction token',
        operationId: 'deleteTokenAlias',
        params,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await deleteAlias(service, caller, params)
      reply.code(204)
      return null
    },
  )
}
