import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every form in which the digits of a card could remain somewhere, by name. */
export type CardTraces = ReadonlyMap<string, Buffer>

/** The middle of the base64 of a text, the same at any offset in a longer one. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(`${'x'.repeat(shift)}${text}`).toString('base64')
    return encoded.slice(shift === 0 ? 0 : 4, Math.floor((shift + text.length) / 3) * 4)
  })
}

function formsOf(digits: string): [name: string, text: string][] {
  const hex = Buffer.from(digits).toString('hex')
  const groups = digits.match(/\d{1,4}/g) ?? []
  const base64 = inBase64(digits)
  return Object.entries({
    raw: digits,
    spaced: groups.join(' '),
    hyphenated: groups.join('-'),
    'url-encoded': groups.join('%20'),
    'form-encoded': groups.join('+'),
    'percent-encoded': hex.replaceAll(/../g, '%$&'),
    hex,
    'base64 0': base64[0] ?? '',
    'base64 1': base64[1] ?? '',
    'base64 2': base64[2] ?? '',
  })
}

/** Long numbers are found by their digits, a security code by what is around it. */
export function cardTraces(numbers: Record<string, string>, cvv: string): CardTraces {
  const of_numbers = Object.entries(numbers).flatMap(([what, digits]) =>
    formsOf(digits).map(([form, text]) => [`${what}, ${form}`, text] as const),
  )
  const around = [`"cvv":"${cvv}"`, `"cvv": "${cvv}"`, `"cvv":${cvv}`, `cvv=${cvv}`, `\\"${cvv}\\"`]
  const of_cvv = around.map((text) => [text, text] as const)
  return new Map([...of_numbers, ...of_cvv].map(([name, text]) => [name, Buffer.from(text)]))
}

export function tracesIn(traces: CardTraces, where: string, content: Buffer | string): string[] {
  const bytes = Buffer.from(content)
  return [...traces]
    .filter(([, trace]) => bytes.includes(trace))
    .map(([name]) => `${name} in ${where}`)
}

/** Every file below a folder, following links: the cluster may be elsewhere. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) return filesBelow(path)
    return stat?.isFile() ? [path] : []
  })
}
