import { encode } from 'uqr'

/** Readers locate the code by the light area around it; the standard asks for four modules. */
const quiet_zone = 4

/**
 * A text as a QR code: the path of its dark modules in a square of `size` modules, quiet zone included.
 * Runs of dark modules are one rectangle each, which makes the path half as long.
 *
 * Correction level M survives a dirty screen or a crease, and keeps the modules of a long URL large
 * enough for a phone. A text too long for any code is a RangeError.
 */
export function qrImage(text: string): { size: number; path: string } {
  // Half of a surrogate pair has no UTF-8 encoding, and the encoder would throw its own error.
  const { size, data } = encode(text.toWellFormed(), { ecc: 'M', border: quiet_zone })
  return { size, path: data.map(rowPath).join('') }
}

function rowPath(row: readonly boolean[], y: number): string {
  let path = ''
  let start = row.indexOf(true)
  while (start !== -1) {
    const light = row.indexOf(false, start)
    const end = light === -1 ? row.length : light
    path += `M${start} ${y}h${end - start}v1h${start - end}z`
    start = row.indexOf(true, end)
  }
  return path
}

/** The code as a separate document. It contains numbers only, so no part of the text can become markup. */
export function qrSvg(text: string): string {
  const { size, path } = qrImage(text)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"` +
    ` shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/>` +
    `<path d="${path}" fill="#000"/></svg>`
  )
}
