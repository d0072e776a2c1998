import { PlainError } from '../../core/api/plain-error.ts'
import { recordOf } from '../../core/read-unknown.ts'
import { newPaint } from '../../core/text/terminal/colors.ts'
import type { Run } from '../command-table.ts'
import { newApiClient } from '../line/api-client.ts'
import { moneyText, statusColor, timeText } from '../line/show.ts'
import type { Terminal } from '../line/terminal.ts'
import { type FeedEvent, followEvents } from './print-feed.ts'

const usual_last = 10
const max_last = 100

/** Prints the events of the demo store: a line each for people, a line of JSON each for programs. */
export const tailEvents: Run<'events tail'> = async (context, _, options) => {
  const { config, terminal } = context
  const { events, last = usual_last, 'no-follow': no_follow = false, json } = options
  if (last > max_last) throw new PlainError(`--last must be between 1 and ${max_last}.`)
  const as_json = json || !terminal.is_terminal
  const feed = followEvents(newApiClient(config), {
    events,
    last,
    follow: !no_follow,
    stopped: context.untilStopped(),
    onTrouble: (message) => terminal.writeError(`${message}\n`),
  })
  for await (const event of feed) {
    terminal.write(as_json ? `${JSON.stringify(event)}\n` : eventText(terminal, event))
  }
  return 0
}

const name_width = 28

function eventText({ has_color }: Terminal, event: FeedEvent): string {
  const paint = newPaint(has_color)
  const { status, amount, currency, requested_amount, requested_currency } = recordOf(event.data)
  const money = moneyText(
    (requested_amount ?? amount ?? null) as number | null,
    (requested_currency ?? currency ?? null) as string | null,
  )
  const shown_status = typeof status === 'string' ? paint(statusColor(status), status) : ''
  const time = paint('dim', timeText(event.created_on))
  const parts = [time, event.event.padEnd(name_width), event.resource_id, shown_status, money]
  return `${parts.join('  ').trimEnd()}\n`
}
