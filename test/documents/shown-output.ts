type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const anything = '…'

function fillText(shown: string, printed: string): string {
  const parts = shown.split(anything).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`).test(printed) ? printed : shown
}

function fillJson(shown: Json, printed: Json | undefined): Json {
  if (shown === anything && printed !== undefined) return printed
  if (typeof shown === 'string' && typeof printed === 'string') return fillText(shown, printed)
  if (Array.isArray(shown)) return Array.isArray(printed) ? fillList(shown, printed) : shown
  if (typeof shown !== 'object' || shown === null) return shown
  const found = typeof printed === 'object' && !Array.isArray(printed) ? (printed ?? {}) : {}
  const rest = anything in shown ? found : {}
  const named = Object.entries(shown).filter(([name]) => name !== anything)
  return {
    ...rest,
    ...Object.fromEntries(named.map(([name, value]) => [name, fillJson(value, found[name])])),
  }
}

function fillList(shown: Json[], printed: Json[]): Json[] {
  const named = shown.at(-1) === anything ? shown.slice(0, -1) : shown
  const rest = named.length < shown.length ? printed.slice(named.length) : []
  return [...named.map((value, index) => fillJson(value, printed[index])), ...rest]
}

/**
 * Compares a document's output with the printed one. `…` in the document matches a part of a text, a value,
 * the other fields of an object (`"…": "…"`), or the rest of a list.
 */
export function compareOutput(language: string, shown: string, printed: string) {
  if (language !== 'json') {
    return { expected: fillText(shown.trim(), printed.trim()), actual: printed.trim() }
  }
  const actual: Json = JSON.parse(printed)
  return { expected: fillJson(JSON.parse(shown), actual), actual }
}
