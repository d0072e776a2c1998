import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { PageParameters } from '../../core/schemas.ts'
import { readPage } from '../../store/sql/page.ts'
import type { Http, RouteModule } from '../route.ts'
import {
  type BankAccount,
  BankAccountPage,
  BankAccountView,
  CreateBankAccount,
  getBankAccount,
  PatchBankAccount,
  viewBankAccount,
} from './bank-account.ts'
import { createBankAccount, deleteBankAccount, patchBankAccount } from './change-bank-account.ts'

const tags = ['bank accounts']
const params = Type.Object(pathIds('bank_account_id'))
const config = { access: { level: 'merchant' } } as const

export const bankAccountRoutes: RouteModule = (http) => {
  http.get(
    '/bank_accounts',
    {
      config,
      schema: {
        tags,
        summary: 'List bank accounts',
        operationId: 'listBankAccounts',
        querystring: Type.Object({
          ...PageParameters,
          primary: Type.Optional(
            Type.Boolean({ description: 'Only the primary account, or only the others.' }),
          ),
        }),
        response: { 200: BankAccountPage },
      },
    },
    async ({ service, caller, query }) => {
      let accounts = service.db
        .selectFrom('bank_accounts')
        .selectAll()
        .where('merchant_id', '=', caller.merchant_id)
        .where('deleted_on', 'is', null)
      if (query.primary !== undefined) accounts = accounts.where('primary', '=', query.primary)
      const { items, has_more } = await readPage<BankAccount>(accounts, query)
      return { items: items.map(viewBankAccount), has_more }
    },
  )

  http.post(
    '/bank_accounts',
    {
      config,
      schema: {
        tags,
        summary: 'Create a bank account',
        operationId: 'createBankAccount',
        body: CreateBankAccount,
        response: { 201: BankAccountView },
      },
    },
    async ({ service, caller, body }, reply) => {
      reply.code(201)
      return viewBankAccount(await createBankAccount(service, caller.merchant_id, body))
    },
  )

  http.get(
    '/bank_accounts/primary',
    {
      config,
      schema: {
        tags,
        summary: 'Read the primary account',
        operationId: 'getPrimaryBankAccount',
        response: { 200: BankAccountView },
      },
    },
    async ({ service, caller }) =>
      viewBankAccount(await getBankAccount(service, caller.merchant_id, 'primary')),
  )
  addAccountRoutes(http)
}

function addAccountRoutes(http: Http): void {
  http.get(
    '/bank_accounts/:bank_account_id',
    {
      config,
      schema: {
        tags,
        summary: 'Read a bank account',
        operationId: 'getBankAccount',
        params,
        response: { 200: BankAccountView },
      },
    },
    async ({ service, caller, params }) =>
      viewBankAccount(await getBankAccount(service, caller.merchant_id, params.bank_account_id)),
  )

  http.patch(
    '/bank_accounts/:bank_account_id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a bank account',
        operationId: 'updateBankAccount',
        params,
        body: PatchBankAccount,
        response: { 200: BankAccountView },
      },
    },
    async ({ service, caller, params, body }) => {
      const { merchant_id } = caller
      return viewBankAccount(
        await patchBankAccount(service, merchant_id, params.bank_account_id, body),
      )
    },
  )

  http.delete(
    '/bank_accounts/:bank_account_id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a bank account',
        operationId: 'deleteBankAccount',
        params,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await deleteBankAccount(service, caller.merchant_id, params.bank_account_id)
      reply.code(204)
      return null
    },
  )
}
