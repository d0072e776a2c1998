import { readDemoCredentials } from '../../accounts/demo/demo-credentials.ts'
import { addressOf, type Config } from '../../config.ts'
import { PlainError } from '../../core/api/plain-error.ts'

/** The address of the service by its settings. */
export function configuredAddress(config: Config): string {
  const { base_url, port } = config
  if (!base_url && port === 0)
    throw new PlainError(
      'The address of the service is unknown because PORT is 0. Set PORT to a number.',
    )
  return addressOf(config, port)
}

/** The address of the service that was started last in the data folder. */
export function serviceAddress(config: Config): string {
  return readDemoCredentials(config.data_dir)?.base_url ?? configuredAddress(config)
}
