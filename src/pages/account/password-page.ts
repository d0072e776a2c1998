import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { console_path } from '../../accounts/sessions/console-cookie.ts'
import { findPasswordLink, usePasswordLink } from '../../accounts/users/password-link.ts'
import { page, type Route } from '../../api/routes/operation.ts'
import { type PasswordFault, password_faults } from '../../core/access/password-rules.ts'
import { errors, Failure } from '../../core/api/errors.ts'
import { recordOf } from '../../core/read-unknown.ts'
import { namesOf } from '../../core/table-names.ts'
import { type Html, html, markupOf } from '../frame/escaped-html.ts'
import { type Language, languageOf, rememberChoices } from '../frame/page-frame.ts'
import { page_headers } from '../hosted/hosted-routes.ts'
import { drawSign } from '../hosted/render-end.ts'
import { pageFiles } from '../hosted/render-hosted.ts'
import { type FormFault, type PasswordTexts, password_texts } from './password-texts.ts'

type State = 'open' | 'gone' | 'done' | 'trouble'

/** The address must stay secret: it is as good as the password. */
const headers = { ...page_headers, 'referrer-policy': 'no-referrer' }

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  state: State,
  fault?: FormFault,
): FastifyReply {
  rememberChoices(request, reply)
  const page = renderPage(languageOf(request), state, fault)
  return reply.code(status).headers(headers).send(page)
}

/** The target of a mailed link: a form without scripts, for old browsers too. */
export const passwordPageRoutes: readonly Route[] = [
  // Viewing the link does not use it up, because mail scanners open links.
  page({
    at: 'GET /account/password/:link',
    right: 'public',
    page: true,
    errorHandler: showTrouble,
    handle: async (request, reply) => {
      const found = await findPasswordLink(request.service, request.params.link)
      return found ? show(request, reply, 200, 'open') : show(request, reply, 404, 'gone')
    },
  }),

  page({
    at: 'POST /account/password/:link',
    right: 'public',
    page: true,
    form: true,
    errorHandler: showTrouble,
    handle: async (request, reply) => {
      const { params, body } = request
      const { password = '', repeat = '' } = recordOf(body)
      if (password !== repeat) {
        // A link that was used or is too old says so first.
        const found = await findPasswordLink(request.service, params.link)
        return found
          ? show(request, reply, 400, 'open', 'repeat')
          : show(request, reply, 404, 'gone')
      }
      await usePasswordLink(request.service, params.link, String(password))
      return show(request, reply, 200, 'done')
    },
  }),
]

function showTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (!(error instanceof Failure)) {
    request.log.error({ request_id: request.id, err: error }, 'a page could not be shown')
    return show(request, reply, 503, 'trouble')
  }
  const [status] = errors[error.code]
  if (error.retry_after_s !== undefined) reply.header('retry-after', error.retry_after_s)
  if (error.code === 'INVALID_PASSWORD_LINK') return show(request, reply, 404, 'gone')
  const fault = faultOf(error)
  if (fault) return show(request, reply, status, 'open', fault)
  return show(request, reply, status, 'trouble')
}

/** The fault of the password that was sent, if that was the problem. */
function faultOf({ message }: Failure): PasswordFault | null {
  const faults = namesOf(password_faults)
  return faults.find((fault) => password_faults[fault] === message) ?? null
}

const drawn: Readonly<Record<Exclude<State, 'open'>, Html>> = {
  gone: drawSign('plain', 'dash'),
  done: drawSign('good', 'check'),
  trouble: drawSign('bad', 'cross'),
}

function renderPage(language: Language, state: State, fault: FormFault | undefined): string {
  const texts = password_texts[language]
  const { heading, sentence } = texts[state]
  const to_console = html`<div class="actions">
<a class="button main" href="${console_path}">${texts.sign_in}</a></div>`
  return markupOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${heading}</title>
${pageFiles()}
</head>
<body>
<header class="top"><p class="shop">Kaikei</p>${otherLanguage(language, texts.other_language)}</header>
<main class="${state === 'open' ? 'narrow' : 'end'}">
${state === 'open' ? null : drawn[state]}
<h1>${heading}</h1>
<p class="lead">${sentence}</p>
${state === 'open' ? renderForm(texts, fault) : null}
${state === 'done' || state === 'gone' ? to_console : null}
</main>
</body>
</html>
`)
}

/** The form is posted to the address it came from. */
function renderForm(texts: PasswordTexts, fault: FormFault | undefined): Html {
  const notice =
    fault === undefined
      ? null
      : html`<p class="fault" id="fault" role="alert">${texts.faults[fault]}</p>`
  const field = (
    name: 'password' | 'repeat',
    label: string,
    reveal: Html | null,
  ) => html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" required minlength="12" maxlength="128"
 autocomplete="new-password"${fault === undefined ? null : html` aria-describedby="fault"`}>${reveal}</div>
`
  const reveal = html`<button class="reveal" type="button" hidden aria-pressed="false"
 data-shown="${texts.hide}" data-hidden="${texts.show}">${texts.show}</button>`
  return html`${notice}<form method="post">
${field('password', texts.label, reveal)}${field('repeat', texts.repeat, null)}
<button class="main" type="submit">${texts.button}</button>
</form>`
}

function otherLanguage(language: Language, name: string): Html {
  const other = language === 'en' ? 'ja' : 'en'
  return html`<a class="quiet-button" href="?language=${other}" hreflang="${other}"
 lang="${other}">${name}</a>`
}
