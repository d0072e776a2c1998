import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { newLog, newSplitStream } from './log.ts'
import { newMailer } from './outbound/mailer.ts'

function collect() {
  const lines: string[] = []
  return { lines, stream: { write: (line: string) => void lines.push(line) } }
}

test('the screen gets formatted lines, the file JSON without card numbers and credentials', () => {
  const [screen, file] = [collect(), collect()]
  const log = newLog(
    'info',
    newSplitStream(screen.stream, (line) => `> ${line}`, file.stream),
  )
  log.info({ note: 'card 4242424242424242', authorization: 'Bearer abc' }, 'a careless line')
  expect(file.lines).toHaveLength(1)
  expect(screen.lines).toEqual(file.lines.map((line) => `> ${line}`))
  expect(JSON.parse(file.lines[0] ?? '')).toMatchObject({ note: 'card [card]' })
  expect(file.lines.join()).not.toMatch(/4242|abc/)
})

test('a mail with a link is on the screen of a developer and not in the file', async () => {
  const [screen, file] = [collect(), collect()]
  const log = newLog('info', newSplitStream(screen.stream, null, file.stream))
  const mail = { to: 'a@shop.example', subject: 'Link', text: 'https://pay.example/p/secret' }
  await newMailer(readConfig({}), log).send(mail)
  expect(screen.lines.join()).toContain('https://pay.example/p/secret')
  expect(file.lines).toEqual([])
})
