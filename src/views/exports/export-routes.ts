import Type, { type TProperties } from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { described, named, pascalCase } from '../../core/api/described-schemas.ts'
import { failField } from '../../core/api/errors.ts'
import { recordOf } from '../../core/read-unknown.ts'
import { namesOf } from '../../core/table-names.ts'
import { type ExportName, exported_lists, exportedList } from './export-lists.ts'
import { writeCsv } from './write-csv.ts'

const CsvFile = named('CsvFile', Type.String(), 'Lines of a CSV file, the first with the names.')

/** Parameters of a page that an export does not have. */
const of_pages = ['limit', 'cursor']

function exportRoute(list: ExportName): Route {
  const { query, columns, check } = exportedList(list)
  const names = Object.keys(columns)
  const filters = Object.entries(query.properties).filter(([name]) => !of_pages.includes(name))
  return operation({
    at: `GET /exports/${list}.csv`,
    id: `getActivity${pascalCase(list)}Csv`,
    client: `activity.get${pascalCase(list)}Csv`,
    tag: 'activity',
    summary: `Export ${list.replace('_', ' ')} as CSV`,
    text: 'All rows that the filters of the list select, in one file with a header. Times are in UTC.',
    right: 'settings',
    access: { level: 'merchant' },
    query: Type.Object({
      columns: described(
        Type.Optional(Type.String({ maxLength: 2000 })),
        'The columns in their order, separated by commas; by default all of them.',
      ),
      bom: described(
        Type.Boolean({ default: false }),
        'Whether the file begins with a byte order mark, as some spreadsheets need it.',
      ),
      ...(Object.fromEntries(filters) as TProperties),
    }),
    responses: { 200: { content: { 'text/csv': { schema: CsvFile } } } },
    handle: async ({ service, caller, query }, reply) => {
      const { columns: wanted, bom, ...filters } = recordOf(query)
      check?.(filters)
      const chosen = typeof wanted === 'string' ? wanted.split(',').map((one) => one.trim()) : names
      if (!chosen.every((one) => names.includes(one))) {
        const message = `must be some of ${names.join(', ')}`
        failField('columns', 'NOT_ALLOWED_VALUE', message)
      }
      const file = { list, columns: chosen, filters, with_bom: bom === true }
      const { stream, total_rows } = await writeCsv(service, caller, file)
      if (total_rows !== null) reply.header('x-total-rows', total_rows)
      reply.header('content-disposition', `attachment; filename="${list}.csv"`)
      reply.type('text/csv; charset=utf-8')
      return stream
    },
  })
}

export const exportRoutes: readonly Route[] = namesOf(exported_lists).map(exportRoute)
