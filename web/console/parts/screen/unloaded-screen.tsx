import { KaikeiError } from '../../api/call-api.ts'
import { ErrorState } from './states.tsx'

/** In the place of a screen whose file did not arrive: there is no connection, or a newer version. */
export function UnloadedScreen() {
  const error = new KaikeiError('CONNECTION_FAILED', '')
  return <ErrorState error={error} retry={() => location.reload()} whole />
}
