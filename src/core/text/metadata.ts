import { metadata_limits } from '../limits/limits.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Metadata = { [key: string]: Json }

function depth(value: Json): number {
  if (value === null || typeof value !== 'object') return 0
  let deepest = 0
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depth(inner))
  return deepest + 1
}

/** The limit of metadata that is exceeded, or null. */
export function metadataFault(metadata: Metadata): string | null {
  const keys = Object.keys(metadata)
  if (keys.length > metadata_limits.keys) {
    return `may have at most ${metadata_limits.keys} keys`
  }
  if (keys.some((key) => key.length === 0 || key.length > metadata_limits.key_length)) {
    return `must have keys of 1 to ${metadata_limits.key_length} characters`
  }
  if (depth(metadata) > metadata_limits.depth) {
    return `may be nested at most ${metadata_limits.depth} levels deep`
  }
  const json = JSON.stringify(metadata)
  // A character takes at most three bytes for each unit of its length.
  if (json.length * 3 > metadata_limits.bytes && Buffer.byteLength(json) > metadata_limits.bytes) {
    return `may take at most ${metadata_limits.bytes / 1024} KB as JSON`
  }
  return null
}
