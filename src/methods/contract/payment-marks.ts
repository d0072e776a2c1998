import type { MarkKind, NameLanguage, PaymentName } from './payment-facts.ts'

const mark_height = 28
const kind_size = { width: 30, height: mark_height } as const
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

/** About the width that a heavy font needs. */
function widthOf(content: string, size: number): number {
  const units = [...content].map((char) => (char > '\u2e80' ? 1 : /[A-Z]/.test(char) ? 0.72 : 0.6))
  return units.reduce((sum, one) => sum + one, 0) * size
}

function text(
  content: string,
  x: number,
  y: number,
  size: number,
  width: number,
  color = ink,
): string {
  const natural = widthOf(content, size)
  const fit =
    natural > width ? ` textLength="${Math.floor(width)}" lengthAdjust="spacingAndGlyphs"` : ''
  return (
    `<text x="${x}" y="${y}" text-anchor="middle" fill="${color}" font-size="${size}" font-weight="700"` +
    ` font-family="${font}"${fit}>${escaped(content)}</text>`
  )
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll("'", '&#39;')
}

/** A file has a title; in a page, it stands beside its name. */
function svg(size: { width: number; height: number }, content: string, file?: string): string {
  const { width, height } = size
  const of_file = file ? ' xmlns="http://www.w3.org/2000/svg" role="img"' : ''
  return (
    `<svg${of_file} width="${width}" height="${height}"` +
    ` viewBox="0 0 ${width} ${height}">${file ? `<title>${escaped(file)}</title>` : ''}${content}</svg>`
  )
}

/** The word on the mark: the brand's own, or its name in the language of the page. */
export function wordOf(name: PaymentName, language: NameLanguage): string {
  return name.word ?? name[language]
}

/** A card's word in its colour on white; the white word of a wallet or a shop on its colour. */
export function drawMark(name: PaymentName, language: NameLanguage): string {
  const { mark, color, line: below } = name
  const word = wordOf(name, language)
  const is_card = mark === 'card'
  const size = is_card ? 13 : 14
  const height = mark_height
  const width = Math.ceil(Math.max(widthOf(word, size) + 14, 40))
  const [field, ink_color] = is_card ? ['#fff', color ?? quiet] : [color ?? quiet, '#fff']
  const stripe = below
    ? `<path d="M4 ${height - 2.5}h${width - 8}" stroke="${below}" stroke-width="3"/>`
    : ''
  const plate_of_word =
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="5" fill="${field}"` +
    `${is_card ? ` stroke="${line}"` : ''}/>`
  const written = text(word, width / 2, below ? 18 : 19, size, width - 10, ink_color)
  return svg({ width, height }, plate_of_word + stripe + written)
}

/** The drawing of what a name stands for: a shop, a bank, a phone. */
export function drawKind({ mark }: PaymentName): string {
  const { width, height } = kind_size
  return svg(kind_size, plate(width, height, 5) + drawing(mark, (width - 20) / 2, 4, 20))
}

/** A plate with a drawing and the name, for pages of shops. */
export function drawLogo({ en, mark }: PaymentName): string {
  const { width, height } = logo_size
  const icon = drawing(mark, 10, (height - 20) / 2, 20)
  return svg(
    logo_size,
    plate(width, height, 6) + icon + text(en, 94, height / 2 + 5, 15, width - 52),
    en,
  )
}
