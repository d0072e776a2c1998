import type { Html } from '../frame/escaped-html.ts'
import type { Language } from '../frame/page-frame.ts'
import { readGuides, type ServedGuide } from './documents/guide-files.ts'
import { renderGuide } from './documents/render-guide.ts'
import {
  renderErrorPage,
  renderEventPage,
  renderMethodPage,
  renderScenarioPage,
} from './guides/render-guides.ts'
import { renderOverview } from './guides/render-overview.ts'
import type { Api } from './read/read-api.ts'
import { groupOf, resourceName } from './read/resource-words.ts'
import { type Group, type GuideName, reference_texts } from './reference-texts.ts'
import { renderObject, renderResource } from './render-resource.ts'
import type { Rendering } from './rendering.ts'

/** A page of the reference. */
export interface ReferencePage {
  readonly path: string
  readonly group: Group
  title(language: Language): string
  render(rendering: Rendering): Html
  /** Places in it that the navigation shows while it is open. */
  readonly places: readonly { readonly id: string; readonly title: string }[]
  /** The document that it shows; null: it is made from the description. */
  readonly document: ServedGuide | null
}

type RenderGuide = (rendering: Rendering) => Html

const tables: readonly (readonly [GuideName, Group, RenderGuide])[] = [
  ['overview', 'start', renderOverview],
  ['test-scenarios', 'start', renderScenarioPage],
  ['errors', 'start', renderErrorPage],
  ['payment-methods', 'start', renderMethodPage],
  ['event-types', 'events', renderEventPage],
]

/** Every page, in the order of the navigation. */
export function listPages(api: Api): ReferencePage[] {
  const of_tables = tables.map(([name, group, render]): ReferencePage => {
    const path = name === 'overview' ? '/docs' : `/docs/${name}`
    return {
      path,
      group,
      render,
      title: (one) => reference_texts[one].pages[name],
      places: [],
      document: null,
    }
  })
  const of_resources = api.resources.map((resource): ReferencePage => {
    const { slug, tag, operations, objects } = resource
    const places = operations.map(({ id, operation }) => ({ id, title: operation.summary }))
    return {
      path: `/docs/${slug}`,
      group: groupOf(tag),
      title: (language) => resourceName(tag, language),
      render: (rendering) => renderResource(rendering, resource),
      places: [...places, ...objects.map((name) => ({ id: name, title: name }))],
      document: null,
    }
  })
  const of_objects = api.large.map(
    (name): ReferencePage => ({
      path: `/docs/objects/${name}`,
      group: 'objects',
      title: () => name,
      render: (rendering) => renderObject(rendering, name, true),
      places: [],
      document: null,
    }),
  )
  const of_documents = readGuides().map((document): ReferencePage => {
    const { guide, path, sections } = document
    return {
      path,
      group: guide.group,
      title: (language) => guide[language],
      render: (rendering) => renderGuide(rendering, document),
      places: sections,
      document,
    }
  })
  return [...of_tables, ...of_documents, ...of_resources, ...of_objects]
}
