import { failField } from '../core/api/errors.ts'
import { type Metadata, metadataFault } from '../core/text/metadata.ts'

/**
 * Given keys are added or replaced, the others stay. The caller holds the row lock, so concurrent
 * changes never lose one; the limits apply to the result, not only to the change.
 */
export function mergeMetadata(before: Metadata, change: Metadata | undefined): Metadata {
  const after = { ...before, ...change }
  const fault = metadataFault(after)
  if (fault) failField('metadata', 'INVALID_FORMAT_OBJECT', fault)
  return after
}
