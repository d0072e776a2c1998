import { encode } from 'uqr'

/** Readers find the code by the light around it; the standard asks for four modules. */
const quiet_zone = 4

/**
 * A text as a QR code: the path of its dark modules in a square of `size` modules, quiet zone
 * included. Runs of dark modules are one rectangle each, which makes the path half as long.
 *
 * Correction M outlives a dirty screen or a crease, and keeps the modules of a long URL large
 * enough for a phone. A text too long for any code is a RangeError.
 */
export function qrImage(text: string): { size: number; path: string } {
  // Half of a surrogate pair has no UTF-8, and the encoder would throw an error of its own.
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

/**
 * The code as a document of its own. It holds numbers only: whatever the text says, nothing of it
 * can become markup.
 */
export function qrSvg(text: string): string {
  const { size, path } = qrImage(text)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"` +
    ` shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/>` +
    `<path d="${path}" fill="#000"/></svg>`
  )
}
