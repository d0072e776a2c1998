import type { Mode } from '../api/mode.ts'
import type { IconName } from '../parts/values/icon.tsx'
import { screens } from '../screens.ts'
import { frame_words } from '../words/frame-words.ts'
import type { Language } from '../words/language.tsx'
import { search_words } from './find-words.ts'

export interface Command {
  readonly name: string
  readonly label: string
  readonly path: string
  readonly icon: IconName
}

interface Action {
  readonly path: string
  readonly icon: IconName
  /** Only people with this right see it. */
  readonly right?: string
  readonly only_test?: true
}

/** Tasks that people come for, and their screens. */
const actions: Readonly<Record<keyof (typeof search_words)['en']['actions'], Action>> = {
  refund: {
    path: '/payments?status=successful&type=charge',
    icon: 'refund',
    right: 'payments:write',
  },
  capture: { path: '/payments?status=authorized', icon: 'check', right: 'payments:write' },
  failed: { path: '/payments?status=failed,error', icon: 'warning' },
  new_link: { path: '/checkout?new=link', icon: 'plus', right: 'payments:write' },
  sessions: { path: '/checkout?tab=sessions', icon: 'checkout' },
  answer: { path: '/disputes?status=needs_response', icon: 'disputes', right: 'payments:write' },
  next_payout: { path: '/ledger/payouts/next', icon: 'deposits' },
  payouts: { path: '/ledger?tab=payouts', icon: 'deposits' },
  webhooks: { path: '/developers', icon: 'webhook', right: 'webhooks:read' },
  deliveries: { path: '/developers?tab=deliveries', icon: 'webhook', right: 'webhooks:read' },
  requests: { path: '/developers?tab=requests', icon: 'developers', right: 'requests:read' },
  keys: { path: '/developers?tab=keys', icon: 'lock', right: 'app_tokens:read' },
  scenarios: {
    path: '/developers?tab=scenarios',
    icon: 'developers',
    only_test: true,
    right: 'requests:read',
  },
  stores: { path: '/settings?tab=stores', icon: 'store' },
  users: { path: '/settings?tab=users', icon: 'user', right: 'users:read' },
  security: { path: '/settings?tab=security', icon: 'lock' },
  audit: { path: '/settings?tab=audit', icon: 'ledger', right: 'audit:read' },
  bank: { path: '/settings?tab=bank', icon: 'deposits', right: 'bank_accounts:read' },
}

type ActionName = keyof typeof actions

interface Reader {
  readonly rights: readonly string[]
  readonly mode: Mode
  readonly language: Language
}

const plain = (text: string) => text.normalize('NFKC').toLowerCase()

/** Actions and screens whose words, in either language, begin like the text; without a text the actions. */
export function commandsFor(text: string, { rights, mode, language }: Reader): readonly Command[] {
  const mayOpen = ({ right, only_test }: Pick<Action, 'right' | 'only_test'>) =>
    (!right || rights.includes(right)) && !(only_test && mode === 'live')
  const words = plain(text).split(/\s+/).filter(Boolean)
  const isMeant = (texts: readonly string[]) => {
    const known = plain(texts.join(' '))
    return words.every((word) =>
      /^[ -~]+$/.test(word) ? ` ${known}`.includes(` ${word}`) : known.includes(word),
    )
  }
  const of_actions = (Object.keys(actions) as ActionName[]).flatMap((name): Command[] => {
    const { path, icon } = actions[name]
    const texts = [search_words.en.actions[name], search_words.ja.actions[name]].flat()
    if (!mayOpen(actions[name]) || !isMeant(texts)) return []
    const [label] = search_words[language].actions[name]
    return [{ name, label, path, icon }]
  })
  if (words.length === 0) return of_actions
  const of_screens = screens.flatMap(({ path, menu }): Command[] => {
    if (!menu || !mayOpen(menu)) return []
    const { name, icon } = menu
    if (!isMeant([frame_words.en.screens[name], frame_words.ja.screens[name]])) return []
    return [{ name: `screen-${name}`, label: frame_words[language].screens[name], path, icon }]
  })
  return [...of_actions, ...of_screens]
}
