/** One of the names, whatever its letters' case; null when it is none. */
export function readName<const Name extends string>(
  text: string,
  names: readonly Name[],
): Name | null {
  const lower = text.toLowerCase()
  return names.find((name) => name === lower) ?? null
}
