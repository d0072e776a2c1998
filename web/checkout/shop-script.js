// Kaikei checkout on the page of a shop. Nothing here sees a card number: cards are typed in frames of
// the payment service's origin. The page has to allow that origin in `script-src` and `frame-src`.
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: nothing but `Kaikei` becomes global
;(() => {
  if (window.Kaikei) return
  const home = new URL(document.currentScript.src).origin
  const { documentElement: root } = document
  const language = (root.lang || navigator.language).slice(0, 2)
  const all_words = { ja: 'お支払い 閉じる', zh: '付款 关闭', ko: '결제 닫기' }
  const [payment, close] = (all_words[language] ?? 'Payment Close').split(' ')
  const words = { payment, close }
  const field_rights = 'allow-scripts allow-same-origin allow-forms'
  const page_rights = `${field_rights} allow-modals allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation`
  /** A frame that is loaded and says nothing is not allowed to be shown here. A slow phone takes seconds. */
  const silence_ms = 6000
  const blocked = {
    code: 'INVALID_DOMAIN',
    message: 'The frame was not shown. The page must be in the domains of the application token.',
  }

  /**
   * A text that appears while its button is pressed moves the button from under the pointer: the click is
   * lost.
   */
  let until_released = null
  addEventListener('pointerdown', () => (until_released ??= []), true)
  function release() {
    const waiting = until_released ?? []
    until_released = null
    for (const run of waiting) run()
  }
  for (const type of ['pointerup', 'pointercancel']) {
    addEventListener(type, () => setTimeout(release), true)
  }

  function make(name, style, properties) {
    const element = document.createElement(name)
    element.style.cssText = style
    return Object.assign(element, properties)
  }

  /** A frame of ours. Only messages of this frame, with our origin, are heard. */
  function makeFrame(url, rights, hear) {
    const address = new URL(url)
    address.searchParams.set('parent', location.origin)
    const frame = make('iframe', 'display:block;width:100%;border:0', { title: words.payment })
    frame.sandbox = rights
    let is_heard = false
    function listen({ origin, source, data }) {
      if (origin !== home || source !== frame.contentWindow || !data) return
      is_heard = true
      const { kaikei: type, ...more } = data
      if (type === 'height') frame.style.height = `${more.height}px`
      else if (type === 'ready') frame.title = more.title
      if (type !== 'height') hear(type, more)
    }
    addEventListener('message', listen)
    frame.onload = () =>
      setTimeout(() => {
        if (!is_heard && frame.isConnected) hear('refused', blocked)
      }, silence_ms)
    frame.src = address.href
    function end() {
      removeEventListener('message', listen)
      frame.remove()
    }
    return { frame, end }
  }

  /** A session that is not ours would be shown as if it were. */
  function sessionUrl(text) {
    const url = new URL(text, home)
    if (url.origin === home) return url
    throw new TypeError(`The session must be at ${home}.`)
  }

  function openOverlay(url, resolve) {
    const dialog = make(
      'dialog',
      'box-sizing:border-box;width:100%;height:100%;max-width:none;max-height:none;margin:0;border:0;padding:0;overflow:hidden;background:rgb(16 21 31/.6)',
    )
    dialog.setAttribute('aria-label', words.payment)
    const { overflow } = root.style
    const { frame, end } = makeFrame(url, page_rights, (type) => {
      if (type === 'ready') frame.focus()
      if (type === 'refused') location.assign(url)
      if (['completed', 'canceled', 'expired'].includes(type)) resolve({ status: type })
      if (type === 'canceled' || type === 'escape') dialog.close()
    })
    frame.style.cssText +=
      'max-width:960px;min-height:320px;max-height:calc(100% - 44px);margin:0 auto;border-radius:10px;background:#fff'
    const close = make(
      'button',
      'display:block;width:44px;height:44px;margin:0 0 0 auto;border:0;background:none;color:#fff;font:28px/1 sans-serif;cursor:pointer',
      { type: 'button', textContent: '×', onclick: () => dialog.close() },
    )
    close.setAttribute('aria-label', words.close)
    dialog.onclose = () => {
      end()
      dialog.remove()
      root.style.overflow = overflow
      resolve({ status: 'closed' })
    }
    dialog.append(close, frame)
    document.body.append(dialog)
    root.style.overflow = 'hidden'
    dialog.showModal()
    return dialog
  }

  function checkout(session_url) {
    const url = sessionUrl(session_url)
    let dialog = null
    return {
      open: ({ as = 'overlay' } = {}) =>
        new Promise((resolve) => {
          if (as === 'redirect') location.assign(url)
          else dialog = openOverlay(url, resolve)
        }),
      close: () => dialog?.close(),
    }
  }

  class Checkout extends HTMLElement {
    static observedAttributes = ['session']
    connectedCallback() {
      if (!this.end) this.show()
    }
    disconnectedCallback() {
      this.end?.()
      this.end = null
    }
    attributeChangedCallback() {
      if (this.end) this.show()
    }
    show() {
      this.disconnectedCallback()
      const session = this.getAttribute('session')
      if (!session) return
      const url = sessionUrl(session)
      const { frame, end } = makeFrame(url, page_rights, (type, detail) => {
        const event = new CustomEvent(`kaikei-${type}`, { bubbles: true, cancelable: true, detail })
        const goes_on = this.dispatchEvent(event)
        if (type === 'canceled' && detail.url && goes_on) location.assign(detail.url)
        if (type === 'refused') {
          frame.replaceWith(make('a', '', { href: url, textContent: words.payment }))
        }
      })
      this.style.display = 'block'
      this.end = end
      this.replaceChildren(frame)
    }
  }
  customElements.define('kaikei-checkout', Checkout)

  let groups = 0

  function fields({
    app_token,
    fields: places,
    style = {},
    placeholders = {},
    locale = root.lang,
  }) {
    const target = new EventTarget()
    const frames = {}
    const calls = new Map()
    const group = ++groups
    let last_call = 0
    let is_ready
    let is_refused
    const ready = new Promise((resolve, reject) => {
      is_ready = resolve
      is_refused = reject
    })
    ready.catch(() => {})
    const waiting = new Set(Object.keys(places))

    /** For the border and the label, which are the shop's. */
    function mark(field, type, { empty, complete, error }) {
      const states =
        type === 'change'
          ? { empty, complete, invalid: error !== null }
          : { focus: type === 'focus' }
      const { classList } = frames[field].element
      for (const [name, is_so] of Object.entries(states)) classList.toggle(`kaikei-${name}`, is_so)
    }

    function hear(field, type, detail) {
      if (type === 'token') {
        const { id, token_id, error } = detail
        const [resolve, reject] = calls.get(id) ?? []
        calls.delete(id)
        if (token_id) resolve?.(token_id)
        else reject?.(Object.assign(new Error(error.message), error))
        return
      }
      if (type === 'refused') {
        const { code, message } = detail
        console.error(`Kaikei: ${message}`)
        is_refused(Object.assign(new Error(message), { code, errors: [] }))
      }
      if (['change', 'focus', 'blur'].includes(type)) mark(field, type, detail)
      if (type === 'ready' && waiting.delete(field) && waiting.size === 0) is_ready()
      const dispatch = () =>
        target.dispatchEvent(new CustomEvent(type, { detail: { field, ...detail } }))
      if (until_released && type === 'change') until_released.push(dispatch)
      else dispatch()
      if (type === 'enter') frames[field].frame.closest('form')?.requestSubmit()
    }

    for (const [field, place] of Object.entries(places)) {
      const url = new URL(`/checkout/fields/${field}`, home)
      url.search = new URLSearchParams({ app_token, locale, group })
      const placeholder = placeholders[field]
      url.hash = encodeURIComponent(JSON.stringify({ ...style, placeholder }))
      frames[field] = makeFrame(url, field_rights, (type, detail) => hear(field, type, detail))
      frames[field].element = typeof place === 'string' ? document.querySelector(place) : place
      frames[field].element.append(frames[field].frame)
    }
    const call = (field, message) => frames[field].frame.contentWindow.postMessage(message, home)

    return Object.assign(target, {
      ready,
      focus: (field) => call(field, { kaikei: 'focus' }),
      createToken: async (body = {}) => {
        await ready
        return new Promise((resolve, reject) => {
          const id = ++last_call
          calls.set(id, [resolve, reject])
          call('card_number', { kaikei: 'create_token', id, body })
        })
      },
      unmount: () => {
        for (const { end } of Object.values(frames)) end()
      },
    })
  }

  window.Kaikei = Object.freeze({ checkout, fields })
})()
