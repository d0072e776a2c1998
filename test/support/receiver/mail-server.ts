import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A mail server that accepts everything, or refuses while a test wants it to. */
export interface MailServer {
  url: string
  /** The received messages, as sent. */
  mails: string[]
  refuse(text: string | null): void
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  let refusal: string | null = null

  function talk(socket: Socket): void {
    let data: string | null = null
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      rest += chunk.toString('utf8')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (data !== null) {
          if (line === '.') {
            mails.push(data)
            data = null
            say('250 taken')
          } else data += `${line}\n`
        } else if (/^DATA/i.test(line)) {
          data = ''
          say('354 go on')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else say(refusal !== null && /^MAIL/i.test(line) ? refusal : '250 ok')
      }
    })
  }

  const server = createServer(talk)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (text) => {
      refusal = text
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The decoded text of a message. */
export function textOf(mail: string): string {
  const [head = '', ...parts] = mail.split('\n\n')
  const body = parts.join('\n\n')
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/transfer-encoding: quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
