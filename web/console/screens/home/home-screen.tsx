import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/api-hooks.ts'
import type { Activity } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { useUrlState } from '../../api/url-state.ts'
import { startOfDay } from '../../api/zone-days.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Empty, ErrorState, Loading } from '../../parts/screen/states.tsx'
import { Chart } from '../../parts/values/chart.tsx'
import { useTimeFrame } from '../../parts/values/time-text.tsx'
import { formatClockHour, formatDay, formatMoney } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { NextPayoutFigure } from '../ledger/payouts/next-payout-figure.tsx'
import { AttentionList } from './attention-list.tsx'
import { changeText, Figures } from './home-figures.tsx'
import { FailureReasons, Methods } from './home-lists.tsx'
import { home_words } from './home-words.ts'
import './home.css'

const DemoShopOffer = lazy(async () => ({
  default: (await import('./demo-shop-offer.tsx')).DemoShopOffer,
}))

const days_of = { today: 1, week: 7, month: 30, quarter: 90 } as const
type PeriodName = keyof typeof days_of
const day_ms = 86_400_000

/** The figures of the period and the previous one, and the items that need attention. */
export function HomeScreen() {
  const words = useWords(home_words)
  const { values, set } = useUrlState()
  const period = (values.period ?? 'week') as PeriodName
  const { data, error, refetch } = useActivity(period, values.currency)
  return (
    <>
      <ScreenTitle title={words.title}>
        <div className="home-choices">
          <Choice
            label={words.period}
            options={Object.entries(words.periods)}
            chosen={period}
            choose={(name) => set({ period: name })}
          />
          {data && data.currencies.length > 1 && (
            <Choice
              label={words.currency}
              options={data.currencies.map((name) => [name, name])}
              chosen={data.currency ?? ''}
              choose={(name) => set({ currency: name })}
            />
          )}
        </div>
      </ScreenTitle>
      {error && !data && <ErrorState error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && <Shown activity={data} />}
    </>
  )
}

/** From the beginning of a day in the merchant's zone until now. */
function useActivity(period: PeriodName, currency: string | undefined) {
  const { zone, now } = useTimeFrame()
  const { store_id } = useStoreChoice()
  const first = now - (days_of[period] - 1) * day_ms
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(first)
  const from = startOfDay(day, zone)
  return useRead(
    (api) =>
      api.activity.get({
        from,
        time_zone: zone,
        ...(currency ? { currency } : {}),
        ...(store_id ? { store_id } : {}),
      }),
    { refresh_ms: 10_000, keep: true },
  )
}

function Shown({ activity }: { activity: Activity }) {
  const words = useWords(home_words)
  const can_operate = useCan('operator:write')
  const { currency, totals, totals_before } = activity
  if (currency === null || totals.count + totals.refunds + totals_before.count === 0) {
    return (
      <>
        <Empty
          icon="home"
          title={words.empty_title}
          text={words.empty_text}
          action={
            <Link className="button primary" href="/checkout?new=link">
              {words.empty_action}
            </Link>
          }
          guide={{ href: '/docs#quick-start', label: words.empty_guide }}
        />
        <Suspense fallback={null}>{can_operate && <DemoShopOffer />}</Suspense>
        <AttentionList />
      </>
    )
  }
  return (
    <>
      <Figures activity={activity} currency={currency} />
      <VolumeChart activity={activity} currency={currency} />
      <div className="home-columns">
        <AttentionList />
        <NextPayoutFigure currency={currency} />
        <FailureReasons activity={activity} />
        <Methods methods={activity.methods} currency={currency} />
      </div>
    </>
  )
}

function VolumeChart({ activity, currency }: { activity: Activity; currency: string }) {
  const words = useWords(home_words)
  const { language } = useLanguage()
  const { interval, time_zone: zone, series, series_before, totals, totals_before } = activity
  const label = (on: string) => {
    const at = Date.parse(on)
    return interval === 'hour' ? formatClockHour(at, language, zone) : formatDay(at, language, zone)
  }
  return (
    <section className="section">
      <Chart
        title={words.chart}
        labels={series.map(({ on }) => label(on))}
        series={[
          {
            name: words.period_before,
            values: series.map((_, at) => series_before[at]?.volume ?? 0),
            quiet: true,
          },
          { name: words.this_period, values: series.map(({ volume }) => volume) },
        ]}
        format={(value) => formatMoney(Math.round(value), currency)}
        whole={{
          label: words.whole_period,
          values: [totals_before.volume, totals.volume],
          note: changeText(totals.volume, totals_before.volume, words, language),
        }}
      />
    </section>
  )
}
