import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../core/api/errors.ts'
import { errors, fail } from '../../core/api/errors.ts'
import { html, markupOf } from '../frame/escaped-html.ts'
import { webFile } from '../frame/web-files.ts'
import { page_headers, page_sources, policyOf } from '../hosted/hosted-routes.ts'
import type { Language } from '../hosted/hosted-view.ts'
import { namedParent } from './frame-parent.ts'
import { checkout_texts } from './texts/checkout-texts.ts'

interface Refusal {
  readonly code: ErrorCode
  /** For the developer of the shop. */
  readonly message: string
  readonly language: Language
}

/** Why a page of a shop may not show our frames, for its developer. */
export function wrongDomain(parent: string | null): string {
  return (
    `${parent ?? 'This page'} may not show this frame. Add its host to the domains of the application ` +
    'token; in live mode the page must be https.'
  )
}

/**
 * A frame that may not be shown where it is: a sentence for customers, and a message to the page around it.
 * It contains nothing of the shop or its customers, so any page may show it. Programs get the error itself.
 */
export function refuseFrame(request: FastifyRequest, reply: FastifyReply, refusal: Refusal) {
  const { code, message, language } = refusal
  const parent = namedParent(request)
  const wants_page = (request.headers.accept ?? '').includes('text/html')
  if (!wants_page || !parent || parent === 'null') fail(code, { message })
  const text = checkout_texts[language].refused
  const policy = policyOf({ ...page_sources, form: "'none'", ancestor: parent })
  return reply
    .code(errors[code][0])
    .headers({ ...page_headers, 'content-security-policy': policy, 'cache-control': 'no-store' })
    .removeHeader('x-frame-options')
    .send(
      markupOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text}</title>
<link rel="stylesheet" href="${webFile('checkout/card-field.css')}">
<script type="module" src="${webFile('checkout/refused.js')}"></script>
</head>
<body>
<main data-parent="${parent}" data-code="${code}" data-message="${message}">
<p class="refused" role="alert">${text}</p>
</main>
</body>
</html>
`),
    )
}
