/** Ways through a table that keep the names of its entries: `Object.keys` gives any text. */

type NameOf<Table> = keyof Table & string

/** The names of the entries, in the order of the table. */
export function namesOf<Table extends object>(table: Table): NameOf<Table>[] {
  return Object.keys(table) as NameOf<Table>[]
}

/** Whether a text is the name of an entry. */
export function isNameIn<Table extends object>(table: Table, name: string): name is NameOf<Table> {
  return Object.hasOwn(table, name)
}

/** A table with an entry for each of the names. */
export function tableOf<Name extends string, Entry>(
  names: readonly Name[],
  entryOf: (name: Name) => Entry,
): Record<Name, Entry> {
  return Object.fromEntries(names.map((name) => [name, entryOf(name)])) as Record<Name, Entry>
}
