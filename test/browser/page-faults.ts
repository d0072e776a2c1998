import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The width of the page; wider than the window, it would have to be scrolled sideways. */
export async function widthOf(visitor: Page): Promise<number> {
  return visitor.evaluate('document.documentElement.scrollWidth')
}

/** What keeps people from using the page. */
export async function faultsOf(visitor: Page): Promise<string[]> {
  await visitor.evaluate(`${axe.source}; 0`)
  const { violations } = await visitor.evaluate<axe.AxeResults>(
    "axe.run({ resultTypes: ['violations'] })",
  )
  return violations.map(({ id, impact, nodes }) => `${impact} ${id} ${nodes[0]?.html}`)
}
