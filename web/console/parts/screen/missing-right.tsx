import type { ReactNode } from 'react'
import { type RightName, rights } from '../../../../src/core/access/rights.ts'
import { roles } from '../../../../src/core/access/users.ts'
import { useMode } from '../../api/mode.ts'
import { useCan, useSession } from '../../api/session.tsx'
import { frame_words } from '../../words/frame-words.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Icon } from '../values/icon.tsx'
import { NoPermission } from './states.tsx'

/** A right of the session: `payments:write`. */
export type NamedRight = `${RightName}:${'read' | 'write'}`

/** Why a right is missing: the roles that have it, or the second factor; null when the person has it. */
function useWhyMissing(right: NamedRight): string | null {
  const { missing } = useWords(part_words)
  const { role: names } = useWords(frame_words)
  const { role } = useSession()
  const mode = useMode()
  const may = useCan(right)
  if (may) return null
  const [area, kind] = right.split(':') as [RightName, 'read' | 'write']
  const { levels } = rights[area]
  const able = roles.filter((one) =>
    kind === 'read'
      ? levels[one] !== 'none'
      : levels[one] === 'write' || (levels[one] === 'test' && mode === 'test'),
  )
  if (able.includes(role)) return missing.second_factor
  return missing[kind](able.map((one) => names[one]).join(missing.between), names[role])
}

/** In the place of actions that are missing because of the person's role. */
export function MissingRight({ right }: { right: NamedRight }) {
  const why = useWhyMissing(right)
  return (
    why && (
      <p className="missing-right">
        <Icon name="lock" size={14} />
        {why}
      </p>
    )
  )
}

/** A part of a screen that not everybody may see: the others read who may. */
export function WithRight({ right, children }: { right: NamedRight; children: ReactNode }) {
  const why = useWhyMissing(right)
  return why ? <NoPermission text={why} /> : children
}
