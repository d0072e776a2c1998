export interface Page<Item> {
  items: Item[]
  /** Whether there are items after the last one. */
  has_more: boolean
}

/** `await` gets one page, `for await` gets every item of every page. */
export interface List<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

type Query = Record<string, unknown>

const max_limit = 100

export function newList(
  query: Query,
  readPage: (query: Query) => Promise<Page<Query>>,
): List<Query> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page
    then: (resolve, reject) => readPage(query).then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      let position: Query = {}
      for (;;) {
        const { items, has_more } = await readPage({ limit: max_limit, ...query, ...position })
        yield* items
        const last = items.at(-1)
        if (!has_more || !last) return
        // Application tokens and the transaction history call their ids differently.
        position = { cursor: last.id ?? last.jti ?? last.resource_id }
      }
    },
  }
}
