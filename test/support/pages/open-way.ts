import type { Frame, FrameLocator, Page } from 'playwright-core'

/** Opens a payment method of the checkout; the card form is open already. */
export async function openWay(on: Page | Frame | FrameLocator, title: string): Promise<void> {
  const way = on.locator('.way').filter({ has: on.locator('summary', { hasText: title }) })
  if ((await way.first().getAttribute('open')) === null) {
    await way.first().locator('summary').click()
  }
}

/** Chooses the convenience store. */
export const chooseStore = (page: Page, name: string) =>
  page.locator(`[name="convenience_store"][value="${name}"]`).check()
