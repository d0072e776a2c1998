/** Brands whose charges can be declared to customs. */
const customs_gateways = ['we_chat_online'] as const

export function declaresCustoms(brand: string | null): brand is (typeof customs_gateways)[number] {
  return customs_gateways.some((gateway) => gateway === brand)
}

/** The customs offices that accept declarations. */
export const customs_places = [
  'GUANGZHOU_ZS',
  'GUANGZHOU_HP_GJ',
  'GUANGZHOU_NS_GJ',
  'HANGZHOU_ZS',
  'NINGBO',
  'ZHENGZHOU_BS',
  'CHONGQING',
  'SHANGHAI_ZS',
  'SHENZHEN',
  'ZHENGZHOU_ZH_ZS',
  'TIANJIN',
] as const
export type CustomsPlace = (typeof customs_places)[number]

/** The brand's own fields about a declaration. */
export type CustomsResult = Readonly<Record<string, string>>
