import { type RawBuilder, sql } from 'kysely'

// A customer is one person: everybody with one e-mail, with and without ids of the merchant. The rows of
// `customers` stay as they were recorded; the first of them stands for the person.

/** How much of one person is read, the newest of it. */
const max_rows = 100
const max_charges = 10_000
const max_tokens = 1000

/** The condition that a row of `customers` is the first one of its person. */
export function isFirstOfPerson(row: string): RawBuilder<boolean> {
  const own = (name: string) => sql.ref(`${row}.${name}`)
  return sql`(${own('email')} is null or not exists (select from customers p
    where p.merchant_id = ${own('merchant_id')} and p.mode = ${own('mode')}
      and p.email collate "C" = ${own('email')} collate "C" and p.id < ${own('id')}))`
}

/** The first rows of the persons that a source of rows of `customers` has. */
export function firstOfPersons(source: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(first.id, n.id) as id from ${source} as n
    left join lateral (select p.id from customers p
      where p.merchant_id = n.merchant_id and p.mode = n.mode
        and p.email collate "C" = n.email collate "C"
      order by p.email collate "C", p.id limit 1) as first on true)`
}

/** All rows of the person that a row belongs to: itself, and those with its e-mail. */
function rowsOf(merchant_id: string, key: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select c.* from customers c where c.merchant_id = ${merchant_id}::uuid and c.id = ${key}
    union select p.* from customers c cross join lateral (select * from customers n
        where n.merchant_id = c.merchant_id and n.mode = c.mode
          and n.email collate "C" = c.email collate "C"
        order by n.email collate "C", n.id limit ${sql.lit(max_rows)}) as p
      where c.merchant_id = ${merchant_id}::uuid and c.id = ${key})`
}

export function personOf(
  merchant_id: string,
  key: string | RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select * from ${rowsOf(merchant_id, key)} as person order by id limit ${sql.lit(max_rows)}`
}

/** The ids of the charges of a person, by the e-mail and by the tokens with their ids. */
export function chargesOfCustomer(
  merchant_id: string,
  key: string | RawBuilder<unknown>,
): RawBuilder<string[]> {
  return sql`array(
    (select n.id from customers c cross join lateral (select id from charges
        where merchant_id = ${merchant_id}::uuid and email = c.email
        order by merchant_id desc, email desc, id desc limit ${sql.lit(max_charges)}) as n
      where c.merchant_id = ${merchant_id}::uuid and c.id = ${key})
    union (select n.id from ${tokensById(merchant_id, key)} as t cross join lateral (select id from charges
        where merchant_id = ${merchant_id}::uuid and transaction_token_id = t.id
        order by merchant_id desc, transaction_token_id desc, id desc limit ${sql.lit(max_tokens)}) as n
      limit ${sql.lit(max_charges)}))`
}

function tokensById(merchant_id: string, key: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select n.id from ${rowsOf(merchant_id, key)} as person
    cross join lateral (select id from transaction_tokens
      where merchant_id = ${merchant_id}::uuid and customer_id = person.customer_id
      order by merchant_id desc, customer_id desc, id desc limit ${sql.lit(max_tokens)}) as n)`
}

/** The ids of the tokens of a person: those with their ids, and those that were charged with the e-mail. */
export function tokensOfCustomer(
  merchant_id: string,
  key: string | RawBuilder<unknown>,
): RawBuilder<string[]> {
  return sql`array((select t.id from ${tokensById(merchant_id, key)} as t)
    union (select n.transaction_token_id from customers c cross join lateral (
        select transaction_token_id from charges
        where merchant_id = ${merchant_id}::uuid and email = c.email
        order by merchant_id desc, email desc, id desc limit ${sql.lit(max_tokens)}) as n
      where c.merchant_id = ${merchant_id}::uuid and c.id = ${key}))`
}

/** How many of the newest payments of a customer say in which stores they pay. */
export const max_compared = 200

/** The condition that the customer of a row has paid in a store, by their newest payments. */
export function paysInStore(row: string, store_id: string): RawBuilder<boolean> {
  const own = (name: string) => sql.ref(`${row}.${name}`)
  return sql`(exists (select from (select store_id from charges
        where merchant_id = ${own('merchant_id')} and email = ${own('email')}
        order by merchant_id desc, email desc, id desc limit ${sql.lit(max_compared)}) as paid
      where paid.store_id = ${store_id}::uuid)
    or exists (select from (select store_id from transaction_tokens
        where merchant_id = ${own('merchant_id')} and customer_id = ${own('customer_id')}
        order by merchant_id desc, customer_id desc, id desc limit ${sql.lit(max_compared)}) as given
      where given.store_id = ${store_id}::uuid))`
}
