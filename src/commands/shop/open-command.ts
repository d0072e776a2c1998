import { spawn } from 'node:child_process'
import { demoConsoleLink } from '../../accounts/demo/demo-merchant.ts'
import { login_limits } from '../../core/access/users.ts'
import type { Run } from '../command-table.ts'
import { responsesAt } from '../line/api-client.ts'
import { serviceAddress } from '../line/service-address.ts'
import type { Context } from '../line/terminal.ts'
import { withService } from '../line/with-service.ts'

/** Prints the address of a page, and opens it where there is a browser. */
export const openPage: Run<'open'> = async (context, [page]) => {
  const base_url = serviceAddress(context.config)
  await responsesAt(base_url)
  const link = page === 'console' ? await consoleLink(context, base_url) : null
  const url = link ?? `${base_url}/${page ?? ''}`
  context.terminal.write(`${url}\n`)
  const opener = context.terminal.is_terminal ? openerOf(context) : null
  if (opener) openDetached(opener, url)
  return 0
}

/** Null without a demo merchant: then users sign in with their passwords. */
function consoleLink({ config }: Context, base_url: string): Promise<string | null> {
  return withService(config, ({ service }) =>
    demoConsoleLink(service, base_url, login_limits.console_link_ms),
  )
}

/** The program of the desktop that opens an address; null: there is no desktop. */
function openerOf({ environment }: Context): readonly string[] | null {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : null
}

function openDetached([program = '', ...args]: readonly string[], url: string): void {
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  // Without the program, the printed address is enough.
  child.on('error', () => {})
  child.unref()
}
