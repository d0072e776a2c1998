import { shopCredentialsPath } from '../../accounts/demo/demo-credentials.ts'
import {
  createDemoShop,
  demoShopLink,
  findDemoShop,
  removeDemoShop,
} from '../../commerce/demo-shop/demo-shop.ts'
import { login_limits } from '../../core/access/users.ts'
import type { Run } from '../command-table.ts'
import { serviceAddress } from '../line/service-address.ts'
import { withService } from '../line/with-service.ts'

/** Fills the demo shop, or says where it is, or removes it. */
export const demoCommand: Run<'demo'> = async ({ config, terminal, called_as }, _, { remove }) => {
  return withService(config, async ({ service }) => {
    if (remove) {
      const removed = await removeDemoShop(service)
      terminal.write(removed ? 'The demo shop was removed.\n' : 'This service has no demo shop.\n')
      return 0
    }
    const existing = await findDemoShop(service)
    if (existing)
      terminal.write(`The demo shop exists already. To remove it: ${called_as} demo --remove\n`)
    else {
      terminal.write(
        'Filling the demo shop with half a year of payments. This takes about 20 seconds.\n',
      )
      await createDemoShop(service)
    }
    const base_url = serviceAddress(config)
    // Another output may be stored, and the link signs in.
    const link = terminal.is_terminal
      ? await demoShopLink(service, base_url, login_limits.console_link_ms)
      : null
    const console_line = link
      ? `${link} (signs you in once, within 10 minutes)`
      : `${base_url}/console (in a terminal, ${called_as} demo prints a link that signs you in)`
    terminal.write(`  console         ${console_line}\n`)
    terminal.write(`  credentials     ${shopCredentialsPath(config.data_dir)}\n`)
    return 0
  })
}
