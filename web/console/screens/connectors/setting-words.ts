import {
  connector_settings_ja,
  factsOfKind,
} from '../../../../src/connectors/facts-of-connectors.ts'

type Texts = Readonly<Record<string, string>>
const settings = Object.entries(connector_settings_ja)

/** The settings of connectors in Japanese; in English their own names and descriptions are shown. */
export const setting_words_ja: { readonly names: Texts; readonly hints: Texts } = {
  names: Object.fromEntries(settings.map(([setting, { name }]) => [setting, name])),
  hints: Object.fromEntries(settings.map(([setting, { hint }]) => [setting, hint])),
}

export function kindName(kind: string, language: 'en' | 'ja'): string {
  return factsOfKind(kind)?.name[language] ?? kind
}

/** Advice for an operator before a connector of this kind is used. */
export function cautionOf(kind: string, language: 'en' | 'ja'): string | undefined {
  return factsOfKind(kind)?.caution?.[language]
}
