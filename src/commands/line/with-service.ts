import { readDemoCredentials } from '../../accounts/demo/demo-credentials.ts'
import type { Config } from '../../config.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { isUuid } from '../../core/ids.ts'
import { newLog } from '../../log.ts'
import { type OpenService, openService } from '../../open-service.ts'
import type { Service } from '../../service.ts'

/** Runs a command against the database, whether or not the service is running. */
export async function withService<T>(
  config: Config,
  work: (open: OpenService) => Promise<T>,
): Promise<T> {
  const open = await openService(config, { own: false, log: newLog('silent') })
  // Links lead to the service that was started last in the data folder.
  const address = config.base_url ?? readDemoCredentials(config.data_dir)?.base_url
  if (address) open.service.address.base_url = address
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

/** The same for the commands about a merchant, which is given by its id or as `demo`. */
export async function withMerchant<T>(
  config: Config,
  given: string | undefined,
  work: (service: Service, merchant_id: string) => Promise<T>,
): Promise<T> {
  return withService(config, async ({ service }) =>
    work(service, await findMerchant(service, given ?? '')),
  )
}

/** The id of a merchant that was given by its id or as `demo`. */
export async function findMerchant({ db }: Service, given: string): Promise<string> {
  const merchants = db.selectFrom('merchants').select('id')
  const found = isUuid(given)
    ? merchants.where('id', '=', given)
    : merchants.where('demo', '=', true)
  const merchant = await found.executeTakeFirst()
  if (merchant) return merchant.id
  throw new PlainError(
    isUuid(given)
      ? `There is no such merchant: ${given}. "kaikei merchants list" lists them.`
      : 'This database has no demo merchant.',
  )
}
