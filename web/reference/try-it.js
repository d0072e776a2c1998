import { enableCopy } from '../design/copy.js'
import { highlight } from '../design/highlight.js'
import { currentToken, takeDemo, takeToken } from './credentials.js'
import { words } from './words.js'

const texts = words.try_it

function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  const { className, ...rest } = properties
  if (className) made.className = className
  Object.assign(made, rest)
  made.append(...children)
  return made
}

/** Ids of what was created here, so that the next request can use them. Ids are no secrets. */
function rememberIds(operation, body) {
  if (!body?.id || operation.method !== 'POST') return
  const noun = { '/tokens': 'token', '/charges': 'charge', '/subscriptions': 'subscription' }[
    operation.path
  ]
  if (noun) sessionStorage.setItem(`${noun}_id`, body.id)
}

function knownId(name) {
  const { store_id, merchant_id } = currentToken() ?? {}
  if (name === 'store_id') return store_id ?? ''
  if (name === 'merchant_id') return merchant_id ?? ''
  return sessionStorage.getItem(name.replace(/^transaction_/, '')) ?? ''
}

/** The example, with ids of this session. */
function bodyText({ body }) {
  const own = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      (name.endsWith('_id') && knownId(name)) || value,
    ]),
  )
  return JSON.stringify(own, null, 2)
}

function field(name, place) {
  const input = element('input', {
    name: `${place}.${name}`,
    autocomplete: 'off',
    spellcheck: false,
  })
  if (place === 'path') input.value = knownId(name)
  return element('label', {}, element('code', { textContent: name }), input)
}

function credentialPart(form) {
  const state = element('p', { className: 'state' })
  state.setAttribute('role', 'status')
  const demo = element('button', {
    type: 'button',
    className: 'button',
    textContent: texts.use_demo,
  })
  const paste = element('input', {
    type: 'password',
    name: 'token',
    placeholder: texts.paste_hint,
    autocomplete: 'off',
  })
  const say = (text, is_fault) => {
    state.textContent = text
    state.classList.toggle('fault', is_fault)
  }
  const fillIds = () => {
    for (const input of form.querySelectorAll('[name^="path."]')) {
      if (!input.value) input.value = knownId(input.name.slice('path.'.length))
    }
  }
  demo.addEventListener('click', async () => {
    const is_given = await takeDemo().catch(() => false)
    say(is_given ? texts.demo_used : texts.no_demo, !is_given)
    fillIds()
  })
  paste.addEventListener('input', () => {
    const outcome = takeToken(paste.value)
    const faults = { live: texts.live_refused, unreadable: texts.unreadable }
    say(faults[outcome] ?? texts.memory_only, outcome !== 'ok')
    fillIds()
  })
  return [
    element('div', { className: 'row' }, demo, state),
    element('label', {}, `${texts.paste} · ${texts.memory_only}`, paste),
  ]
}

/** The request of the form, or what is wrong with it. */
function readForm(form, operation) {
  const values = (place) =>
    [...form.querySelectorAll(`[name^="${place}."]`)].map(({ name, value }) => [
      name.slice(place.length + 1),
      value.trim(),
    ])
  const ids = new Map(values('path'))
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(ids.get(name) ?? ''),
  )
  const query = new URLSearchParams(values('query').filter(([, value]) => value !== ''))
  const body = form.elements.body?.value
  if (body !== undefined) {
    try {
      JSON.parse(body)
    } catch {
      return { fault: texts.body_invalid }
    }
  }
  const token = currentToken()
  if (!token && !operation.is_public) return { fault: texts.live_refused }
  const headers = {
    ...(token && !operation.is_public ? { authorization: `Bearer ${token.text}` } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(operation.is_idempotent ? { 'idempotency-key': crypto.randomUUID() } : {}),
  }
  return { url: path + (query.size > 0 ? `?${query}` : ''), headers, body }
}

/** The secret is not part of what is copied. */
function curlOf({ method }, { url, headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === 'authorization' ? '-H "Authorization: Bearer $SECRET.$JWT"' : `-H '${name}: ${value}'`,
  )
  const sent = body === undefined ? [] : [`-d '${body.replaceAll("'", `'\\''`)}'`]
  return [`curl -X ${method} '${location.origin}${url}'`, ...lines, ...sent].join(' \\\n  ')
}

function codeBlock(language, text) {
  const block = element('pre', { tabIndex: 0 }, element('code', { textContent: text }))
  block.dataset.language = language
  return block
}

function showResult(output, operation, request, response, text, ms) {
  const is_ok = response.status < 400
  const status = element('strong', {
    className: is_ok ? 'ok' : 'fault',
    textContent: String(response.status),
  })
  const line = element('p', { className: 'line' }, status, ` · ${ms.toFixed(1)} ms`)
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not JSON: shown as it is.
  }
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const copy = element('button', { type: 'button', className: 'copy', textContent: words.copy })
  const curl = curlOf(operation, request)
  enableCopy(copy, () => curl, words.copied)
  output.replaceChildren(
    line,
    codeBlock('json', shown),
    element(
      'details',
      {},
      element('summary', { textContent: texts.headers }),
      codeBlock('text', headers),
    ),
    element(
      'details',
      {},
      element('summary', { textContent: texts.as_curl }),
      codeBlock('curl', curl),
      copy,
    ),
  )
  highlight(output)
}

async function send(form, output, operation) {
  const fault = form.querySelector('.send-fault')
  const button = form.querySelector('.main')
  const request = readForm(form, operation)
  fault.textContent = request.fault ?? ''
  if (request.fault) return
  button.disabled = true
  button.textContent = texts.sending
  try {
    const started = performance.now()
    const { url, headers, body } = request
    const response = await fetch(url, { method: operation.method, headers, body })
    const text = await response.text()
    showResult(output, operation, request, response, text, performance.now() - started)
    if (response.ok && text !== '') rememberIds(operation, JSON.parse(text))
  } catch {
    fault.textContent = texts.failed
  }
  button.disabled = false
  button.textContent = texts.send
}

function newPanel(operation) {
  const form = element('form', { noValidate: true })
  const output = element('output')
  const names = [
    ...operation.path_names.map((name) => field(name, 'path')),
    ...operation.query_names.map((name) => field(name, 'query')),
  ]
  const fault = element('p', { className: 'fault send-fault' })
  fault.setAttribute('role', 'alert')
  form.append(
    ...(operation.is_public ? [] : credentialPart(form)),
    ...(names.length > 0 ? [element('div', { className: 'pair' }, ...names)] : []),
    ...(operation.body === undefined
      ? []
      : [
          element(
            'label',
            {},
            texts.body,
            element('textarea', {
              name: 'body',
              value: bodyText(operation),
              rows: 10,
              spellcheck: false,
            }),
          ),
        ]),
    element(
      'div',
      { className: 'row' },
      element('button', { type: 'submit', className: 'button main', textContent: texts.send }),
      fault,
    ),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form, output, operation)
  })
  return element(
    'div',
    { className: 'card try' },
    element('p', { className: 'band', textContent: texts.test_mode }),
    form,
    output,
  )
}

let operations = null

/** Loaded at the first use. */
async function operationOf(id) {
  operations ??= (await fetch('/docs/operations.json')).json()
  return (await operations)[id]
}

for (const section of document.querySelectorAll('[data-try]')) {
  const button = element('button', { type: 'button', className: 'button', textContent: texts.open })
  button.setAttribute('aria-expanded', 'false')
  let panel = null
  button.addEventListener('click', async () => {
    panel?.remove()
    panel = panel ? null : newPanel(await operationOf(section.id))
    if (panel) button.after(panel)
    button.textContent = panel ? texts.close : texts.open
    button.setAttribute('aria-expanded', String(panel !== null))
    panel?.querySelector('button, input, textarea')?.focus()
  })
  section.querySelector('.code').prepend(button)
}
