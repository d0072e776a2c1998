import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Every page loads it again: half the size takes half the time. */
export const axe_source = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** The width of the page; wider than the window, it would have to be scrolled sideways. */
export async function widthOf(visitor: Page): Promise<number> {
  return visitor.evaluate('document.documentElement.scrollWidth')
}

/** Faults that keep people from using the page. */
export async function faultsOf(visitor: Page): Promise<string[]> {
  await visitor.evaluate(`${axe_source}; 0`)
  const { violations } = await visitor.evaluate<axe.AxeResults>(
    "axe.run({ resultTypes: ['violations'] })",
  )
  return violations.map(({ id, impact, nodes }) => `${impact} ${id} ${nodes[0]?.html}`)
}
