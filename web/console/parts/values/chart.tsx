import { type PointerEvent, useId, useState } from 'react'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import './chart.css'

interface Series {
  readonly name: string
  /** One value for each label, from zero. */
  readonly values: readonly number[]
  /** Behind the others, for a comparison. */
  readonly quiet?: true
}

interface Props {
  title: string
  labels: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  /** The sum of each series, shown until a point of the chart is chosen. */
  whole: { readonly label: string; readonly values: readonly number[]; readonly note?: string }
}

/** The end of an axis above a value: 1, 2 or 5 and zeros, so that half of it is a round number too. */
function roundAbove(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return ([1, 2, 5, 10].find((times) => times * unit >= value) ?? 10) * unit
}

const max_ticks = 8

/** Labels along the axis at equal steps from the first one; each stands below its point. */
function ticksOf(count: number): readonly number[] {
  const step = Math.max(1, Math.ceil((count - 1) / (max_ticks - 1)))
  return Array.from({ length: Math.ceil(count / step) }, (_, tick) => tick * step)
}

const width = 640
const height = 160
const edge = { top: 4, right: 2, bottom: 1, left: 2 }
const inner_width = width - edge.left - edge.right
const inner_height = height - edge.top - edge.bottom

/** A small chart with its numbers on hover and as a table one click away. The axis begins at zero. */
export function Chart({ title, labels, series, format, whole }: Props) {
  const words = useWords(part_words)
  const [as_table, setAsTable] = useState(false)
  return (
    <figure className="chart">
      <figcaption>
        <span>{title}</span>
        <Button kind="quiet" small onClick={() => setAsTable(!as_table)}>
          {as_table ? words.show_chart : words.show_table}
        </Button>
      </figcaption>
      {as_table ? (
        <ChartTable labels={labels} series={series} format={format} title={title} />
      ) : (
        <Drawing {...{ labels, series, format, title, whole }} />
      )}
    </figure>
  )
}

function ChartTable({ title, labels, series, format }: Omit<Props, 'whole'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled with the keyboard
    <section className="chart-table" tabIndex={0} aria-label={title}>
      <table className="table" aria-label={title}>
        <thead>
          <tr>
            <td />
            {series.map(({ name }) => (
              <th key={name} scope="col" className="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, at) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map(({ name, values }) => (
                <td key={name} className="right">
                  {format(values[at] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Drawing({ title, labels, series, format, whole }: Props) {
  const id = useId()
  const [at, setAt] = useState<number | null>(null)
  const max = roundAbove(Math.max(...series.flatMap(({ values }) => values)))
  const step = inner_width / Math.max(labels.length - 1, 1)
  const x = (index: number) => edge.left + step * index
  const y = (value: number) => edge.top + inner_height * (1 - value / max)
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const inside = ((event.clientX - box.left) / box.width) * width - edge.left
    const index = Math.round(inside / step)
    setAt(Math.min(Math.max(index, 0), labels.length - 1))
  }
  return (
    <>
      <p className="chart-numbers">
        <span>{at === null ? whole.label : labels[at]}</span>
        {series.map(({ name, values, quiet }, index) => (
          <span key={name} className={quiet ? 'quiet-number' : ''}>
            <i className={`chart-key ${quiet ? 'quiet-series' : ''}`} /> {name}{' '}
            <b>{format((at === null ? whole.values[index] : values[at]) ?? 0)}</b>
          </span>
        ))}
        {at === null && whole.note && <span>{whole.note}</span>}
      </p>
      <p className="chart-ticks" aria-hidden="true">
        {[max, max / 2, 0].map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={id}
        onPointerMove={move}
        onPointerLeave={() => setAt(null)}
      >
        <title id={id}>{title}</title>
        <line className="axis" x1={edge.left} x2={width - edge.right} y1={y(0)} y2={y(0)} />
        {[max / 2, max].map((value) => (
          <line
            key={value}
            className="grid"
            x1={edge.left}
            x2={width - edge.right}
            y1={y(value)}
            y2={y(value)}
          />
        ))}
        {series.toReversed().map((one) => (
          <polyline
            key={one.name}
            className={one.quiet ? 'quiet-series' : 'series'}
            points={one.values.map((value, index) => `${x(index)},${y(value)}`).join(' ')}
          />
        ))}
        {at !== null && <line className="cursor" x1={x(at)} x2={x(at)} y1={edge.top} y2={y(0)} />}
      </svg>
      <p className="chart-axis" aria-hidden="true">
        {ticksOf(labels.length).map((index) => (
          <span
            key={index}
            className={index === labels.length - 1 ? 'last' : ''}
            style={{ left: `${(100 * index) / Math.max(labels.length - 1, 1)}%` }}
          >
            {labels[index]}
          </span>
        ))}
      </p>
    </>
  )
}
