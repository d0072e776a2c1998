const form = 'Authorization: Bearer <secret>.<jwt>'

/** The fault in the form of an Authorization header. Nothing of the header is repeated. */
export function describeCredentialFault(header: string): string {
  const [scheme = '', value = '', more] = header.trim().split(/\s+/)
  if (/^basic$/i.test(scheme)) return `Basic authentication is not offered; send "${form}".`
  if (!/^bearer$/i.test(scheme)) {
    const has_scheme = value !== ''
    return has_scheme
      ? `This scheme of authentication is not offered; send "${form}".`
      : `The word Bearer is missing; send "${form}".`
  }
  if (value === '') return `The credential is empty; send "${form}".`
  if (more !== undefined) return `The credential must not contain spaces; send "${form}".`
  const parts = value.split('.')
  if (parts.length === 1 && parts[0] !== '') {
    return `The JWT is missing; join secret and JWT with a dot: "${form}".`
  }
  return `The credential does not have the form of "${form}".`
}

/** A JWT begins with its header, which is a JSON object in base64. */
const jwt_start = /^eyJ/

export const swapped_halves = `The secret goes before the JWT; send "${form}".`

/** Whether the JWT is before the secret: then its signature would be checked with the wrong part. */
export function hasSwappedHalves(secret: string | null): boolean {
  return secret !== null && jwt_start.test(secret)
}
