/** `a, b and c`. */
export function listInWords(names: readonly string[], word: 'and' | 'or'): string {
  const last = names.slice(-2).join(` ${word} `)
  return [...names.slice(0, -2), last].join(', ')
}
