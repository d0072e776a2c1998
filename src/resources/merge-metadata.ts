import { failField } from '../core/errors.ts'
import { type Metadata, metadataFault } from '../core/metadata.ts'

/**
 * Keys that are given are added or replaced, the others stay. The caller holds the row, so two
 * changes at once never lose one; the limits hold for the result, not only for the change.
 */
export function mergeMetadata(before: Metadata, change: Metadata | undefined): Metadata {
  const after = { ...before, ...change }
  const fault = metadataFault(after)
  if (fault) failField('metadata', 'INVALID_FORMAT_OBJECT', fault)
  return after
}
