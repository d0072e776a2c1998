/** A setting with the value of the merchant and that of the store. */
export interface Setting {
  readonly path: readonly string[]
  readonly inherited: unknown
  readonly own: unknown
  readonly is_switch: boolean
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const switches = /^(enabled|.*_enabled|allow.*|.*_allowed|only_.*|.*_required|confirm.*)$/

/** Every setting that a store may have for itself, in the order of the API. */
export function settingsOf(
  merchant: object,
  store: object,
  above: readonly string[] = [],
): readonly Setting[] {
  const inherited_values = merchant as Record<string, unknown>
  return Object.entries(store).flatMap(([name, own]) => {
    const path = [...above, name]
    const inherited = inherited_values[name]
    if (isGroup(own)) return settingsOf(isGroup(inherited) ? inherited : {}, own, path)
    const has_boolean = typeof own === 'boolean' || typeof inherited === 'boolean'
    const is_switch = has_boolean || (own === null && switches.test(name))
    return [{ path, inherited, own, is_switch }]
  })
}
