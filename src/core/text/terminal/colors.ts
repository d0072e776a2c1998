const codes = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const

export type Color = keyof typeof codes

/** Writes a text in a color of the terminal. */
export type Paint = (color: Color, text: string) => string

export function newPaint(has_color: boolean): Paint {
  return has_color ? (color, text) => `\u001b[${codes[color]}m${text}\u001b[0m` : (_, text) => text
}
