import { useState } from 'react'
import { readStored, writeStored } from '../../api/url-state.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { Menu, MenuCheck } from '../overlays/menu.tsx'
import { useIsPhone } from '../screen/use-screen-width.ts'
import type { Column } from './data-table.tsx'

interface ColumnChoice<Row> {
  readonly shown: readonly Column<Row>[]
  readonly names: readonly string[]
  readonly choose: (names: readonly string[]) => void
}

/** The columns of a list that this person wants to see; the first one always is. */
export function useColumnChoice<Row>(
  list: string,
  columns: readonly Column<Row>[],
): ColumnChoice<Row> {
  const stored_name = `console_columns_${list}`
  const usual = columns.filter(({ extra }) => !extra).map(({ name }) => name)
  const [names, setNames] = useState(() => readStored(stored_name)?.split(',') ?? usual)
  const shown = columns.filter(({ name }, at) => at === 0 || names.includes(name))
  const choose = (wanted: readonly string[]) => {
    const next = wanted.length > 0 ? [...wanted] : usual
    writeStored(stored_name, next.join(','))
    setNames(next)
  }
  return { shown, names: shown.map(({ name }) => name), choose }
}

interface Props<Row> {
  columns: readonly Column<Row>[]
  choice: ColumnChoice<Row>
}

export function ColumnMenu<Row>({ columns, choice }: Props<Row>) {
  const words = useWords(part_words)
  const { names, choose } = choice
  if (useIsPhone()) return null
  return (
    <Menu
      trigger={
        <Button small icon="columns">
          {words.columns}
        </Button>
      }
    >
      {columns.map(({ name, label }, at) => (
        <MenuCheck
          key={name}
          label={label}
          checked={names.includes(name)}
          disabled={at === 0}
          change={(wanted) =>
            choose(wanted ? [...names, name] : names.filter((other) => other !== name))
          }
        />
      ))}
    </Menu>
  )
}
