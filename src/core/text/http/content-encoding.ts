/** Encodings of responses, the smaller result first. */
const known = ['br', 'gzip'] as const
export type Encoding = (typeof known)[number]

/** Smaller bodies fit into one packet as they are. */
export const min_compressed_bytes = 1024

/** Encodings that a client accepts; one with the weight 0 is refused. */
export function acceptedEncodings(header: string | undefined): Encoding[] {
  const parts = (header ?? '').toLowerCase().split(',')
  const accepted = parts.flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim())
    return parameters.some((one) => /^q=0(\.0*)?$/.test(one)) ? [] : [name]
  })
  return known.filter((name) => accepted.includes(name))
}
