/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number]

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]

function readColor(hex: string): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

function writeColor(color: Rgb): string {
  return `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

/** The relative luminance of WCAG 2. */
function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number) => {
    const part = channel / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The contrast of two colors: 4.5 is enough for text. */
export function contrast(one: string, other: string): number {
  return contrastOf(readColor(one), readColor(other))
}

/** Black or white: one of them can be read on every color. */
export function textOn(background: string): string {
  const color = readColor(background)
  return contrastOf(color, white) >= contrastOf(color, black) ? '#ffffff' : '#000000'
}

const min_contrast = 4.5
const steps = 20

/** The color, made darker or lighter only as far as a text in it can be read on the background. */
export function readableOn(background: string, wanted: string): string {
  const [behind, color] = [readColor(background), readColor(wanted)]
  const end = readColor(textOn(background))
  for (let step = 0; step <= steps; step += 1) {
    const mixed = color.map((channel, at) => {
      return channel + (((end[at] ?? 0) - channel) * step) / steps
    }) as unknown as Rgb
    const rounded = readColor(writeColor(mixed))
    if (contrastOf(rounded, behind) >= min_contrast) return writeColor(rounded)
  }
  return writeColor(end)
}
