import { code128 } from '../../core/text/formats/code-128.ts'
import { type Html, html } from '../frame/escaped-html.ts'

/** Bars need room to be found: ten modules on each side, as the standard of the bar code asks. */
const quiet_modules = 10
const bar_height = 100

/** Numbers up to this length are read at a glance. */
const longest_group = 7

/** Numbers up to this length stay on one line, also on a small phone. */
const longest_line = 13

/** Up to four digits together, as even as possible. They are copied as one number, without spaces. */
export function grouped(text: string): Html {
  if (!/^\d+$/.test(text) || text.length <= longest_group) return html`<span>${text}</span>`
  const count = Math.ceil(text.length / 4)
  const at = (index: number) => Math.ceil((index * text.length) / count)
  const groups = Array.from({ length: count }, (_, index) => text.slice(at(index), at(index + 1)))
  if (text.length <= longest_line) {
    return html`<span class="whole">${groups.map((group) => html`<span>${group}</span>`)}</span>`
  }
  return html`${groups.map((group) => html`<span>${group}</span><wbr>`)}`
}

export function barcode(digits: string, name: string): Html {
  const { modules } = code128(digits)
  const row_of_bars = modules.map((dark) => (dark ? '#' : ' ')).join('')
  const bars = [...row_of_bars.matchAll(/#+/g)].map(
    ({ 0: { length }, index }) => `M${quiet_modules + index} 0h${length}v${bar_height}h-${length}z`,
  )
  const width = modules.length + 2 * quiet_modules
  return html`<figure class="code bars">
<svg role="img" aria-label="${name}" viewBox="0 0 ${width} ${bar_height}" preserveAspectRatio="none">
<path fill="#000" d="${bars.join('')}"/>
</svg>
<figcaption>${grouped(digits)}</figcaption>
</figure>`
}
