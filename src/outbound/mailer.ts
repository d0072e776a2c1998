import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import { type Config, isLoopback } from '../config.ts'
import { second_ms } from '../core/time/clock.ts'

export interface MailText {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same with a look, for programs that show one. */
  readonly html?: string | undefined
}

/** Sends mails to a mail server. A mail that was not accepted throws, and is retried later. */
export interface Mailer {
  /** False: there is no mail server, so no mail arrives. */
  readonly sends: boolean
  send(mail: MailText): Promise<void>
}

/** Together shorter than a claim of the worker. */
const timeouts = {
  connectionTimeout: 5 * second_ms,
  greetingTimeout: 5 * second_ms,
  dnsTimeout: 5 * second_ms,
  socketTimeout: 10 * second_ms,
}

/**
 * Over SMTP, encrypted unless the server is on this machine. Without SMTP_URL a developer finds mails
 * in the log; a service that others can reach must not write links there.
 */
export function newMailer({ smtp_url, mail_from, host }: Config, log: Logger): Mailer {
  if (smtp_url === null) return isLoopback(host) ? newLogMailer(log) : no_mailer
  const server = new URL(smtp_url)
  const is_local = isLoopback(server.hostname.replace(/^\[|\]$/g, ''))
  const options = {
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: Number(server.port) || (server.protocol === 'smtps:' ? 465 : 587),
    secure: server.protocol === 'smtps:',
    requireTLS: !is_local,
    ignoreTLS: is_local && server.protocol === 'smtp:',
    ...(server.username ? { auth: credentialsOf(server) } : {}),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Loaded with the first mail: no start waits for it.
  let transport: Promise<Transporter> | null = null
  return {
    sends: true,
    send: async ({ to, subject, text, html }) => {
      transport ??= import('nodemailer').then((nodemailer) => nodemailer.createTransport(options))
      await (await transport).sendMail({
        from: mail_from,
        to: { name: '', address: to },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}

function credentialsOf({ username, password }: URL) {
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
}

function newLogMailer(log: Logger): Mailer {
  return {
    sends: false,
    send: async (mail) => {
      log.info({ mail }, 'a mail was not sent, because SMTP_URL is not set; this is its text')
    },
  }
}

const no_mailer: Mailer = {
  sends: false,
  send: () => Promise.reject(new Error('Mails cannot be sent: set SMTP_URL and MAIL_FROM.')),
}
