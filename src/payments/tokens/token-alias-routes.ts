import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { fail } from '../../core/api/errors.ts'
import { qrSvg } from '../../core/text/formats/qr-image.ts'
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

export const tokenAliasRoutes: readonly Route[] = [
  operation({
    at: 'POST /tokens/alias',
    id: 'createTokenAlias',
    client: 'tokens.createAlias',
    tag: 'transaction tokens',
    summary: 'Create a short-lived alias of a transaction token',
    text:
      'Give the alias key to another program, which can get the token with it until it ' +
      'expires.',
    right: 'payments',
    access: { level: 'store' },
    body: CreateAlias,
    responses: { 201: NewAliasView },
    handle: async ({ service, caller, body }) => {
      const { store_id } = caller
      if (store_id === null) fail('INVALID_PERMISSIONS')
      return viewNewAlias(await createAlias(service, { ...caller, store_id }, body))
    },
  }),

  operation({
    at: 'GET /stores/:store_id/tokens/alias/:alias_key',
    id: 'getTokenAlias',
    client: 'tokens.getAlias',
    tag: 'transaction tokens',
    summary: 'Get a transaction token by its alias, or the alias as a QR code',
    text: 'With `media=qr` the response is a picture of the alias as a QR code.',
    right: 'payments',
    query: Type.Object({
      media: Type.Enum(['json', 'qr'], {
        default: 'json',
        description: '`qr` returns a picture of the key as an SVG.',
      }),
    }),
    responses: { 200: AliasView },
    handle: async ({ service, caller, params, query }, reply) => {
      const { alias, token } = await getAlias(service, caller, params)
      if (query.media === 'json') return viewAlias(alias, token)
      return reply.type('image/svg+xml').send(qrSvg(alias.id) as never)
    },
  }),

  operation({
    at: 'DELETE /stores/:store_id/tokens/alias/:alias_key',
    id: 'deleteTokenAlias',
    client: 'tokens.deleteAlias',
    tag: 'transaction tokens',
    summary: 'Delete an alias of a transaction token',
    text: 'The alias stops working. The transaction token stays active.',
    right: 'payments',
    responses: { 204: Type.Null() },
    handle: ({ service, caller, params }) => deleteAlias(service, caller, params),
  }),
]
