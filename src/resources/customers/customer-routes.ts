import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import type { RouteModule } from '../route.ts'
import {
  CustomerDetails,
  CustomerPage,
  ListCustomers,
  listCustomers,
  readCustomer,
} from './customer.ts'

const tags = ['customers']
const config = { access: { level: 'merchant' } } as const

export const customerRoutes: RouteModule = (http) => {
  http.get(
    '/customers',
    {
      config,
      schema: {
        tags,
        summary: 'List customers',
        operationId: 'listCustomers',
        querystring: ListCustomers,
        response: { 200: CustomerPage },
      },
    },
    ({ service, caller, query }) => listCustomers(service, caller, query),
  )

  http.get(
    '/customers/:customer_key',
    {
      config,
      schema: {
        tags,
        summary: 'Read a customer, with totals and payment methods',
        operationId: 'getCustomer',
        params: Type.Object(pathIds('customer_key')),
        response: { 200: CustomerDetails },
      },
    },
    ({ service, caller, params }) => readCustomer(service, caller, params.customer_key),
  )
}
