import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errors, Failure } from '../../core/errors.ts'
import { type PasswordFault, password_faults } from '../../core/password-rules.ts'
import { chooseLanguage } from '../../core/text/languages.ts'
import { type MailLanguage, mail_languages } from '../../core/users.ts'
import type { RouteModule } from '../../resources/route.ts'
import { findPasswordLink, usePasswordLink } from '../../resources/users/password-link.ts'
import { type Html, html, markupOf } from '../escaped-html.ts'
import { page_headers } from '../hosted/hosted-routes.ts'
import { hosted_style } from '../hosted/hosted-style.ts'
import { type PasswordTexts, password_texts } from './password-texts.ts'

type PageRequest = FastifyRequest<{ Params: { link: string }; Body: { password?: unknown } }>
type State = 'open' | 'gone' | 'done' | 'trouble'

/** The address must stay secret: it is as good as the password. */
const headers = { ...page_headers, 'referrer-policy': 'no-referrer' }

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  state: State,
  fault?: PasswordFault,
): FastifyReply {
  const language = chooseLanguage(request.headers['accept-language'], [...mail_languages])
  const texts = password_texts[language]
  const page = renderPage(language, texts, state, fault)
  return reply.code(status).headers(headers).send(page)
}

/** The target of a mailed link: a form without scripts, for old browsers too. */
export const passwordPageRoutes: RouteModule = (http) => {
  const config = { access: { level: 'public' }, page: true } as const
  const options = { config, schema: { hide: true }, errorHandler: showTrouble }
  const path = '/account/password/:link'

  // Viewing the link does not use it up, because mail scanners open links.
  http.get(path, options, async (request, reply) => {
    const { link } = (request as PageRequest).params
    const found = await findPasswordLink(request.service, link)
    return found ? show(request, reply, 200, 'open') : show(request, reply, 404, 'gone')
  })

  http.post(path, { ...options, config: { ...config, form: true } }, async (request, reply) => {
    const { params, body } = request as PageRequest
    await usePasswordLink(request.service, params.link, String(body.password ?? ''))
    return show(request, reply, 200, 'done')
  })
}

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
  const faults = Object.keys(password_faults) as PasswordFault[]
  return faults.find((fault) => password_faults[fault] === message) ?? null
}

function renderPage(
  language: MailLanguage,
  texts: PasswordTexts,
  state: State,
  fault: PasswordFault | undefined,
): string {
  const { heading, sentence } = texts[state]
  return markupOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${heading}</title>
<style>${hosted_style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p class="lead">${sentence}</p>
${state === 'open' ? renderForm(texts, fault) : null}
</main>
</body>
</html>
`)
}

/** The form is posted to the address it came from. */
function renderForm(texts: PasswordTexts, fault: PasswordFault | undefined): Html {
  const told =
    fault === undefined ? null : html`<p id="fault" role="alert">${texts.faults[fault]}</p>`
  return html`${told}<form method="post">
<label for="password">${texts.label}</label>
<input id="password" name="password" type="password" required minlength="12" maxlength="128"
 autocomplete="new-password"${fault === undefined ? null : html` aria-describedby="fault"`}>
<button class="main" type="submit">${texts.button}</button>
</form>`
}
