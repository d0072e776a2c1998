import { createHash } from 'node:crypto'
import { readableOn, textOn } from '../../core/text/contrast.ts'

/**
 * The background of links and outlines: the darker of the light backgrounds, the lighter of the dark ones.
 */
const backgrounds = { light: '#f6f7f9', dark: '#121824' } as const

/**
 * The colors of a shop: its own for buttons, with a text that can be read on it, and the nearest one that
 * can be read as a text. Null: those of our design.
 */
export function shopStyle(main_color: string | null): string | null {
  if (main_color === null || !/^#[a-f0-9]{6}$/i.test(main_color)) return null
  const light = readableOn(backgrounds.light, main_color)
  const dark = readableOn(backgrounds.dark, main_color)
  return (
    `:root{--accent:${light};--accent:light-dark(${light},${dark});` +
    `--button:${main_color};--on-button:${textOn(main_color)}}`
  )
}

/** For the content policy, which allows no other style of a page itself. */
export function styleHash(style: string): string {
  return createHash('sha256').update(style).digest('base64')
}
