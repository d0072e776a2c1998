import { operation, type Route } from '../../api/routes/operation.ts'
import {
  CustomerDetails,
  CustomerPage,
  ListCustomers,
  listCustomers,
  readCustomer,
} from './customer.ts'

export const customerRoutes: readonly Route[] = [
  operation({
    at: 'GET /customers',
    id: 'listCustomers',
    client: 'customers.list',
    tag: 'customers',
    summary: 'List customers',
    text: 'A customer is known once a payment has ended. The newest first.',
    right: 'settings',
    access: { level: 'merchant' },
    query: ListCustomers,
    responses: { 200: CustomerPage },
    handle: ({ service, caller, query }) => listCustomers(service, caller, query),
  }),

  operation({
    at: 'GET /customers/:customer_key',
    id: 'getCustomer',
    client: 'customers.get',
    tag: 'customers',
    summary: 'Get a customer with totals and payment methods',
    text: "The totals of the customer's payments, and the payment methods that they have used.",
    right: 'settings',
    access: { level: 'merchant' },
    responses: { 200: CustomerDetails },
    handle: ({ service, caller, params }) => readCustomer(service, caller, params.customer_key),
  }),
]
