import { mayFrame } from '../../accounts/app-tokens/frame-domains.ts'
import { findAppToken } from '../../accounts/app-tokens/verify-app-token.ts'
import { page, type Route } from '../../api/routes/operation.ts'
import { queryText } from '../../api/routes/request-parts.ts'
import { errors, fail } from '../../core/api/errors.ts'
import { chooseLanguage } from '../../core/text/http/languages.ts'
import { challengedFields } from '../../payments/card-testing/card-visitor.ts'
import { proof_of_work } from '../../payments/card-testing/challenge.ts'
import { type Html, html, markupOf } from '../frame/escaped-html.ts'
import { chosenLanguage } from '../frame/page-frame.ts'
import { webFile } from '../frame/web-files.ts'
import { page_headers, page_sources, policyOf } from '../hosted/hosted-routes.ts'
import { type Language, languages } from '../hosted/hosted-view.ts'
import { asked_by } from './checkout-fields.ts'
import { namedParent } from './frame-parent.ts'
import { refuseFrame, wrongDomain } from './refused-frame.ts'
import { checkout_texts } from './texts/checkout-texts.ts'

/** The fields that a shop can embed in its own form. */
const card_fields = {
  card_number: { autocomplete: 'cc-number', placeholder: '1234 5678 9012 3456', max_length: 40 },
  expiry: { autocomplete: 'cc-exp', placeholder: 'MM / YY', max_length: 20 },
  cvv: { autocomplete: 'cc-csc', placeholder: '123', max_length: 8 },
  cardholder: { autocomplete: 'cc-name', placeholder: 'TARO YAMADA', max_length: 255 },
} as const
type CardField = keyof typeof card_fields

interface Visit {
  readonly field: CardField
  /** The origin of the shop's page, which its application token allows. */
  readonly parent: string
  readonly app_token: string
  /** Which fields of a page belong together. */
  readonly group: string
  readonly language: Language
}

/** One input that fills its frame. Its label is for screen readers, which do not see the shop's label. */
function renderField({ field, parent, app_token, group, language }: Visit): string {
  const { label, missing, wrong } = checkout_texts[language].fields[field]
  const { autocomplete, placeholder, max_length } = card_fields[field]
  const numeric = field === 'cardholder' ? null : html` inputmode="numeric"`
  return markupOf(
    html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${label}</title>
<link rel="stylesheet" href="${webFile('checkout/card-field.css')}">
<script type="module" src="${webFile('checkout/card-field.js')}"></script>
</head>
<body>
<main>
<form novalidate data-parent="${parent}" data-app-token="${app_token}" data-group="${group}">
<label class="unseen" for="${field}">${label}</label>
<input id="${field}" required autocapitalize="off" spellcheck="false"${numeric}
 autocomplete="${autocomplete}" placeholder="${placeholder}" maxlength="${max_length}"
 data-missing="${missing}" data-wrong="${wrong}" data-asks="${asked_by[field].join(' ')}"
 aria-describedby="fault">
<p class="unseen" id="fault"></p>
</form>
</main>
</body>
</html>
` satisfies Html,
  )
}

function isCardField(name: string): name is CardField {
  return Object.hasOwn(card_fields, name)
}

/**
 * A card field in a frame of a shop's page. It is shown only inside pages of the application token's
 * domains: browsers enforce that by `frame-ancestors`.
 */
export const cardFieldRoutes: readonly Route[] = [
  page({
    at: 'GET /checkout/fields/challenge',
    right: 'public',
    handle: async (request) => {
      const token = await findAppToken(request.service, queryText(request, 'app_token'))
      if (!token) fail('INVALID_APP_TOKEN')
      return proof_of_work.issue(request.service, challengedFields(token.id))
    },
  }),

  page({
    at: 'GET /checkout/fields/:field',
    right: 'public',
    handle: async (request, reply) => {
      const { field } = request.params
      if (!isCardField(field)) fail('NOT_FOUND', { message: 'There is no such field.' })
      const app_token = queryText(request, 'app_token')
      const parent = namedParent(request)
      const wanted = queryText(request, 'locale')
      const language = wanted
        ? chooseLanguage(wanted, languages)
        : chosenLanguage(request, languages)
      const token = await findAppToken(request.service, app_token)
      if (!token?.mode) {
        const [, message] = errors.INVALID_APP_TOKEN
        return refuseFrame(request, reply, { code: 'INVALID_APP_TOKEN', message, language })
      }
      if (!parent || !mayFrame(parent, { mode: token.mode, domains: token.domains })) {
        const message = wrongDomain(parent)
        return refuseFrame(request, reply, { code: 'INVALID_DOMAIN', message, language })
      }
      const group = queryText(request, 'group')
      const policy = policyOf({ ...page_sources, form: "'none'", ancestor: parent })
      return reply
        .headers({ ...page_headers, 'content-security-policy': policy })
        .removeHeader('x-frame-options')
        .send(renderField({ field, parent, app_token, group, language }))
    },
  }),
]
