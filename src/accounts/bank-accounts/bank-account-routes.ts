import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { readPage, viewPage } from '../../store/sql/reads/page.ts'
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

export const bankAccountRoutes: readonly Route[] = [
  operation({
    at: 'GET /bank_accounts',
    id: 'listBankAccounts',
    client: 'bankAccounts.list',
    tag: 'bank accounts',
    summary: 'List bank accounts',
    text:
      'The accounts that payouts can go to. `primary` selects the primary account, or the ' +
      'others.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    query: Type.Object({
      ...PageParameters,
      primary: Type.Optional(
        Type.Boolean({
          description: 'Only the primary account (`true`), or only the others (`false`).',
        }),
      ),
    }),
    responses: { 200: BankAccountPage },
    handle: async ({ service, caller, query }) => {
      let accounts = service.db
        .selectFrom('bank_accounts')
        .selectAll()
        .where('merchant_id', '=', caller.merchant_id)
        .where('deleted_on', 'is', null)
      if (query.primary !== undefined) accounts = accounts.where('primary', '=', query.primary)
      return viewPage(await readPage<BankAccount>(accounts, query), viewBankAccount)
    },
  }),

  operation({
    at: 'POST /bank_accounts',
    id: 'createBankAccount',
    client: 'bankAccounts.create',
    tag: 'bank accounts',
    summary: 'Create a bank account',
    text: 'A merchant can have ten. The first one becomes the primary one.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: CreateBankAccount,
    responses: { 201: BankAccountView },
    handle: async ({ service, caller, body }) =>
      viewBankAccount(await createBankAccount(service, caller.merchant_id, body)),
  }),

  operation({
    at: 'GET /bank_accounts/primary',
    id: 'getPrimaryBankAccount',
    client: 'bankAccounts.getPrimary',
    tag: 'bank accounts',
    summary: 'Get the primary account',
    text: 'The account that payouts go to. A merchant has one primary account at most.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    responses: { 200: BankAccountView },
    handle: async ({ service, caller }) =>
      viewBankAccount(await getBankAccount(service, caller.merchant_id, 'primary')),
  }),

  operation({
    at: 'GET /bank_accounts/:bank_account_id',
    id: 'getBankAccount',
    client: 'bankAccounts.get',
    tag: 'bank accounts',
    summary: 'Get a bank account',
    text: 'The account with its bank, its holder and whether it is the primary one.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    responses: { 200: BankAccountView },
    handle: async ({ service, caller, params }) =>
      viewBankAccount(await getBankAccount(service, caller.merchant_id, params.bank_account_id)),
  }),

  operation({
    at: 'PATCH /bank_accounts/:bank_account_id',
    id: 'updateBankAccount',
    client: 'bankAccounts.update',
    tag: 'bank accounts',
    summary: 'Update a bank account',
    text:
      'Only the fields that are sent change. `primary` makes later payouts go to this ' +
      'account.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    body: PatchBankAccount,
    responses: { 200: BankAccountView },
    handle: async ({ service, caller, params, body }) => {
      const { merchant_id } = caller
      return viewBankAccount(
        await patchBankAccount(service, merchant_id, params.bank_account_id, body),
      )
    },
  }),

  operation({
    at: 'DELETE /bank_accounts/:bank_account_id',
    id: 'deleteBankAccount',
    client: 'bankAccounts.delete',
    tag: 'bank accounts',
    summary: 'Delete a bank account',
    text: 'If it was the primary account, the oldest of the others becomes the primary one.',
    right: 'bank_accounts',
    access: { level: 'merchant' },
    responses: { 204: Type.Null() },
    handle: ({ service, caller, params }) =>
      deleteBankAccount(service, caller.merchant_id, params.bank_account_id),
  }),
]
