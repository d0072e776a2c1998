import Type, { type TProperties } from 'typebox'
import { described, named, pascalCase } from '../../core/described-schemas.ts'
import { failField } from '../../core/errors.ts'
import type { Http, RouteModule } from '../route.ts'
import { type ExportName, exported_lists, exportedList } from './export-lists.ts'
import { writeCsv } from './write-csv.ts'

const CsvFile = named('CsvFile', Type.String(), 'Lines of a CSV file, the first with the names.')

/** Parameters of a page that an export does not have. */
const of_pages = ['limit', 'cursor']

export const exportRoutes: RouteModule = (http) => {
  for (const name of Object.keys(exported_lists) as ExportName[]) addExport(http, name)
}

function addExport(http: Http, list: ExportName): void {
  const { query, columns, check } = exportedList(list)
  const names = Object.keys(columns)
  const filters = Object.entries(query.properties).filter(([name]) => !of_pages.includes(name))
  http.get(
    `/exports/${list}.csv`,
    {
      config: { access: { level: 'merchant' } },
      schema: {
        tags: ['activity'],
        summary: `Export ${list.replace('_', ' ')} as CSV`,
        operationId: `getActivity${pascalCase(list)}Csv`,
        querystring: Type.Object({
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
        response: { 200: { content: { 'text/csv': { schema: CsvFile } } } },
      },
    },
    async ({ service, caller, query }, reply) => {
      const { columns: wanted, bom, ...filters } = query as Record<string, unknown>
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
      return stream as never
    },
  )
}
