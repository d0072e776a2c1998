import type { MarkKind, PaymentName } from './payment-facts.ts'

export const mark_size = { width: 44, height: 28 } as const
export const logo_size = { width: 160, height: 40 } as const

const ink = '#10151f'
const quiet = '#4a5566'
const line = '#d3d9e3'
const font = "system-ui,-apple-system,'Segoe UI','Hiragino Sans','Noto Sans JP',sans-serif"

/** Line drawings on a field of 24 by 24. */
const drawings: Readonly<Record<MarkKind, string>> = {
  card: 'M3 6.5h18v11H3zM3 10h18M6 14.5h4',
  wallet: 'M8 2.5h8v19H8zM11 18.5h2',
  store: 'M4 10v10h16V10M2.5 9.5 5 4h14l2.5 5.5zM9.5 20v-6h5v6',
  machine: 'M4 4h16v16H4zM7.5 7.5h9v5h-9zM8 16.5h8',
  bank: 'M3.5 9.5 12 4l8.5 5.5zM5.5 10v8M10 10v8M14 10v8M18.5 10v8M3 20.5h18',
}

function drawing(kind: MarkKind, x: number, y: number, size: number): string {
  return (
    `<path transform="translate(${x} ${y}) scale(${size / 24})" d="${drawings[kind]}" fill="none"` +
    ` stroke="${quiet}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`
  )
}

function plate(width: number, height: number, radius: number): string {
  return (
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${radius}" fill="#fff"` +
    ` stroke="${line}"/>`
  )
}

function text(content: string, x: number, y: number, size: number, width: number): string {
  const natural = [...content].reduce((sum, char) => sum + (char > '\u2e80' ? 1 : 0.62), 0) * size
  const fit =
    natural > width ? ` textLength="${Math.floor(width)}" lengthAdjust="spacingAndGlyphs"` : ''
  return (
    `<text x="${x}" y="${y}" text-anchor="middle" fill="${ink}" font-size="${size}" font-weight="650"` +
    ` font-family="${font}"${fit}>${escaped(content)}</text>`
  )
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll("'", '&#39;')
}

function svg(size: { width: number; height: number }, title: string, content: string): string {
  const { width, height } = size
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img"` +
    ` viewBox="0 0 ${width} ${height}"><title>${escaped(title)}</title>${content}</svg>`
  )
}

/** A small plate beside a name: letters of a card or wallet, a drawing of a place. */
export function drawMark({ en, mark, letters }: PaymentName): string {
  const { width, height } = mark_size
  const is_place = mark === 'store' || mark === 'bank' || mark === 'machine'
  const size = letters.length > 3 ? 12 : 13
  const shown = is_place
    ? drawing(mark, (width - 20) / 2, (height - 20) / 2, 20)
    : text(letters, width / 2, height / 2 + size * 0.36, size, width - 8)
  return svg(mark_size, en, plate(width, height, 5) + shown)
}

/** A plate with a drawing and the name, for pages of shops. */
export function drawLogo({ en, mark }: PaymentName): string {
  const { width, height } = logo_size
  const icon = drawing(mark, 10, (height - 20) / 2, 20)
  return svg(
    logo_size,
    en,
    plate(width, height, 6) + icon + text(en, 94, height / 2 + 5, 15, width - 52),
  )
}
