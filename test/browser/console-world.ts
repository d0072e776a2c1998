import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Role } from '../../src/core/users.ts'
import { newUser, password } from '../console-users.ts'
import { type BrowserWorld, newBrowserWorld, type Visitor } from './browser-world.ts'

export interface ConsoleWorld extends BrowserWorld {
  /** The e-mail of an owner of the merchant. */
  email: string
  /** A browser in which a person is signed in, at a path below `/console/test`. */
  open(path: string, options?: Visitor & { role?: Role }): Promise<Page>
}

/** The console as a person at a merchant sees it. */
export async function newConsoleWorld(): Promise<ConsoleWorld> {
  const here = await newBrowserWorld()
  const { world, merchant, url } = here
  const { email } = await newUser(world, merchant, { name: 'Hanako Sato' })
  const emails = new Map<Role, string>([['owner', email]])

  async function cookieOf(role: Role) {
    const known = emails.get(role) ?? (await newUser(world, merchant, { role })).email
    emails.set(role, known)
    const { headers, text } = await world.call('POST', '/console/api/console/session', {
      headers: { 'x-kaikei-console': '1' },
      body: { email: known, password },
    })
    const [name = '', value = ''] = String(headers['set-cookie']).split(';')[0]?.split('=') ?? []
    expect(value, text).not.toBe('')
    return { name, value, domain: new URL(url).hostname, path: '/console' }
  }

  async function open(path: string, options: Visitor & { role?: Role } = {}): Promise<Page> {
    const { role = 'owner', ...visitor } = options
    const page = await here.visitor(visitor)
    await page.context().addCookies([await cookieOf(role)])
    await page.goto(`${url}/console/test${path}`)
    return page
  }
  return { ...here, email, open }
}

/** What is not accessible on a page as it is shown now. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const run =
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })"
  const { violations } = await page.evaluate<axe.AxeResults>(run)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
