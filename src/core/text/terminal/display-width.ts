/** Characters that a terminal shows two columns wide: East Asian scripts, full-width forms, emoji. */
const wide = new RegExp(
  `[${[
    '\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff',
    '\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}\\p{Emoji_Presentation}',
  ].join('')}]`,
  'u',
)
/** Marks that are drawn over the character before them. */
const without_width = /[\p{Mn}\p{Me}\p{Cf}]/u
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A name that a merchant chose must not move the cursor or turn the text around. */
export function printable(text: string): string {
  return text.replace(unprintable, '\u{fffd}')
}

function widthOf(character: string): number {
  if (without_width.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** The text in exactly this many columns: filled with spaces, or cut with an ellipsis. */
export function fitText(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const cut = displayWidth(text) > columns ? cutText(text, columns) : text
  const space = ' '.repeat(columns - displayWidth(cut))
  return align === 'left' ? cut + space : space + cut
}

function cutText(text: string, columns: number): string {
  let stored = ''
  let width = 0
  for (const character of text) {
    width += widthOf(character)
    if (width > columns - 1) break
    stored += character
  }
  return `${stored}…`
}
