import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { makeConsoleLink } from '../../../src/accounts/sessions/console-link.ts'
import { createUser } from '../../../src/accounts/users/create-user.ts'
import type { User } from '../../../src/accounts/users/user.ts'
import type { Role } from '../../../src/core/access/users.ts'
import { inTransaction } from '../../../src/service.ts'
import { newUser, password } from '../../support/console-users.ts'
import { type BrowserWorld, newBrowserWorld, type Visitor } from '../browser-world.ts'
import { axe_source } from '../page-faults.ts'

export interface ConsoleWorld extends BrowserWorld {
  /** The e-mail of an owner of the merchant. */
  email: string
  /** A browser in which a person is signed in, at a path below `/console/test`. */
  open(path: string, options?: Visitor & { role?: Role }): Promise<Page>
  /** An owner who also operates the service. Without a password, nothing is asked for again. */
  operator(name?: string): Promise<User>
  /** A browser that a link has signed in: as with a second factor, it may do everything. */
  enter(user: User, path: string, visitor?: Visitor): Promise<Page>
}

/** A text that would run as a script, or be blocked by the policy, where it is not shown as text. */
export const script = '<script>alert(1)</script><img src=x onerror=alert(2)>'

/** The console as a person at a merchant sees it. */
export async function newConsoleWorld(): Promise<ConsoleWorld> {
  const bare = await newBrowserWorld()
  const { world, merchant, url } = bare
  // An element that fades in has less contrast than at its end.
  const visitor = async (options?: Visitor) => {
    const page = await bare.visitor(options)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    return page
  }
  const here = { ...bare, visitor }
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

  let operators = 0
  async function operator(name = 'Ken Mori'): Promise<User> {
    operators += 1
    const who = { name, email: `operator${operators}@console.example` }
    const wanted = {
      merchant_id: merchant.id,
      role: 'owner',
      lang: 'en',
      is_operator: true,
    } as const
    return (await createUser(world.service, { ...who, ...wanted })).user
  }

  async function enter(user: User, path: string, visitor: Visitor = {}): Promise<Page> {
    const page = await here.visitor(visitor)
    await page.goto(
      await inTransaction(world.service, (tx) => makeConsoleLink(tx, user, url, 60_000)),
    )
    await page.getByRole('heading', { level: 1 }).waitFor()
    await goTo(page, path)
    return page
  }
  return { ...here, email, open, operator, enter }
}

/** Opens another screen as a click on a link does: the page stays. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/console/test${path}')`)
}

/** Waits until a screen has all its data. */
export async function isLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loading = page.locator('[role=status][aria-label], [aria-busy=true], .stale').first()
  await loading.waitFor({ state: 'detached' })
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Accessibility faults of a page as it is shown now. Colors take half of the time: where the frame around a
 * screen was checked before, only those of the screen itself are compared.
 */
export async function violationsOf(page: Page, colors_of?: 'main'): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe_source)
  const without_colors = { runOnly: rules, rules: { 'color-contrast': { enabled: !colors_of } } }
  const found = await violationsIn(page, 'document', without_colors)
  if (!colors_of) return found
  const colors = { runOnly: { type: 'rule', values: ['color-contrast'] } }
  return [...found, ...(await violationsIn(page, `'${colors_of}'`, colors))]
}

async function violationsIn(page: Page, part: string, options: object): Promise<string[]> {
  const wanted = JSON.stringify({ ...options, resultTypes: ['violations'], preload: false })
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${part}, ${wanted})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Whether a page has to be scrolled sideways, once its parts have taken their places. */
export async function isTooWide(page: Page): Promise<boolean> {
  await page.evaluate(
    'new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))',
  )
  return page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
}
