import type { Page } from 'playwright-core'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import type { TestMerchant } from '../../support/world.ts'
import type { BrowserWorld, Visitor } from '../browser-world.ts'

/** A shop whose pages allow nothing but the script and the frames of the payment service. */
export interface StrictShop extends Checkouts {
  merchant: TestMerchant
  /** Opens a page of the shop, with the script loaded. */
  visit(content: string, options?: Visitor & { origin?: string }): Promise<Page>
}

/** The stranger is the page of an advertiser, say, which the shop shows in a frame. */
export async function newStrictShop(here: BrowserWorld, home = here.url): Promise<StrictShop> {
  const merchant = await here.world.merchant({ domains: ['shop.example'] })
  const policy =
    `default-src 'none'; script-src ${home}; frame-src ${home} ${here.shop.other_url}; ` +
    "base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'"
  return {
    ...checkouts(here.world, merchant),
    merchant,
    visit: async (content, options = {}) => {
      const { origin = here.shop.url, ...visitor } = options
      const script = `<script src="${home}/checkout.js"></script>`
      here.shop.responses.set('/cart', {
        html: `<main><h1>Cart</h1>${content}</main>${script}`,
        headers: { 'content-security-policy': policy },
      })
      const page = await here.visitor(visitor)
      await page.goto(`${origin}/cart`)
      return page
    },
  }
}
