import { console_tags } from '../../api/routes/tags.ts'
import { namesOf } from '../../core/table-names.ts'
import type { ApiDescription } from './api-description-parts.ts'

const apart: ReadonlySet<string> = new Set(console_tags)

/** The interface for programs of merchants. */
export function describeForPrograms(whole: ApiDescription): ApiDescription {
  return partOf(whole, (tag) => !apart.has(tag))
}

/** The operations of people who sign in, as our console calls them. They change with it. */
export function describeForConsole(whole: ApiDescription): ApiDescription {
  const { info, webhooks: _, ...part } = partOf({ ...whole, webhooks: {} }, (tag) => apart.has(tag))
  const description = `Operations of people who sign in to the console, and of operators.
They change with the console. Everything else is in openapi.json. Calls carry the cookie of
\`POST /console/session\` below \`/console/api\`, or \`Authorization: Bearer <jwt>\` with the login token of
\`POST /authenticate\`.`
  return { ...part, info: { ...info, title: `${info.title} console`, description }, webhooks: {} }
}

/** A description with the operations of some tags, and the shared parts that they use. */
function partOf(whole: ApiDescription, has: (tag: string) => boolean): ApiDescription {
  const items = Object.entries(whole.paths).map(([path, item]) => {
    const operations = Object.entries(item).filter(([, { tags }]) => tags.some(has))
    return [path, Object.fromEntries(operations)] as const
  })
  const paths = Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0))
  const tags = whole.tags.filter(({ name }) => has(name))
  return {
    ...whole,
    tags,
    paths,
    components: usedParts(whole, [paths, whole.webhooks, whole.security]),
  }
}

const shared = ['schemas', 'parameters', 'responses', 'headers'] as const

/** The components that something refers to, directly or through others. */
function usedParts({ components }: ApiDescription, users: unknown): ApiDescription['components'] {
  const used = new Set<string>()
  const visit = (value: unknown) => {
    for (const [, kind = '', name = ''] of referencesIn(value)) {
      const key = `${kind}/${name}`
      if (used.has(key)) continue
      used.add(key)
      const parts = shared.find((one) => one === kind)
      if (parts) visit(Object.entries(components[parts]).find(([own]) => own === name)?.[1])
    }
  }
  visit(users)
  const keep = <T extends object>(kind: (typeof shared)[number], parts: T): T => {
    const own = namesOf(parts).filter((name) => used.has(`${kind}/${String(name)}`))
    return Object.fromEntries(own.map((name) => [name, parts[name]])) as T
  }
  return {
    ...components,
    schemas: keep('schemas', components.schemas),
    parameters: keep('parameters', components.parameters),
    responses: keep('responses', components.responses),
    headers: keep('headers', components.headers),
    securitySchemes: usedSchemes(components.securitySchemes, users),
  }
}

/** Credentials are named without a reference. */
function usedSchemes(schemes: object, users: unknown): object {
  const text = JSON.stringify(users)
  return Object.fromEntries(
    Object.entries(schemes).filter(([name]) => text.includes(`"${name}":[]`)),
  )
}

function referencesIn(value: unknown) {
  const text = JSON.stringify(value) ?? ''
  return text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)
}
