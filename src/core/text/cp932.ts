/** Bytes of Windows' Shift_JIS, with each character that it does not have replaced by 〓. */
export interface EncodedText {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly missing: number
}

/** 〓 is what Japanese printers put where they have no type for a character. */
const replacement = [0x81, 0xac] as const

/** Characters that Unicode has twice, as other systems write them. */
const same_characters = [
  ['\u301c', '\uff5e'],
  ['\u2212', '\uff0d'],
  ['\u2016', '\u2225'],
  ['\u2014', '\u2015'],
  ['\u00a2', '\uffe0'],
  ['\u00a3', '\uffe1'],
  ['\u00a5', '\uffe5'],
  ['\u00ac', '\uffe2'],
] as const

/** Windows writes a character with several codes as the first code outside of these rows. */
const is_second_code = (lead: number) => lead === 0xed || lead === 0xee

let codes: Map<string, number> | null = null

/** The table, made from the platform's own decoder once it is needed. */
function codesOf(): Map<string, number> {
  if (codes) return codes
  const decoder = new TextDecoder('shift_jis')
  const table = new Map<string, number>()
  const add = (bytes: readonly number[], code: number) => {
    const text = decoder.decode(new Uint8Array(bytes))
    const is_one = text.length === 1 && !/[\ufffd\ue000-\uf8ff]/.test(text)
    if (is_one && !table.has(text)) table.set(text, code)
  }
  for (let byte = 0; byte < 0x80; byte += 1) table.set(String.fromCharCode(byte), byte)
  for (let byte = 0xa1; byte <= 0xdf; byte += 1) add([byte], byte)
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    if ((lead >= 0xa0 && lead < 0xe0) || is_second_code(lead)) continue
    for (let trail = 0x40; trail <= 0xfc; trail += 1) add([lead, trail], lead * 256 + trail)
  }
  for (const [other, known] of same_characters) {
    const code = table.get(known)
    if (code !== undefined) table.set(other, code)
  }
  codes = table
  return table
}

export function encodeCp932(text: string): EncodedText {
  const table = codesOf()
  const bytes: number[] = []
  let missing = 0
  // Composed: a letter and its mark, as some systems write them, are one character here.
  for (const letter of text.normalize('NFC')) {
    const code = table.get(letter)
    if (code === undefined) {
      missing += 1
      bytes.push(...replacement)
    } else if (code < 256) bytes.push(code)
    else bytes.push(code >> 8, code & 255)
  }
  return { bytes: new Uint8Array(bytes), missing }
}
