// The pages of the shop. They have no script and no style of their own inside, so the policy can be strict.
import { findProduct, priceItems, products, sumOf } from './products.mjs'
import { app_token, checkout_origin, gift_link } from './set-up.mjs'
import { countItems } from './visitors.mjs'
import { words } from './words.mjs'

/**
 * The sources and targets that pages may use: files of the shop; the script, the frames and the pages of
 * the payment service.
 */
export const policy = [
  "default-src 'none'",
  `script-src 'self' ${checkout_origin}/checkout.js`,
  `frame-src ${checkout_origin}`,
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  `form-action 'self' ${checkout_origin}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

class Markup extends String {}
const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Markup from a template: every value is text and is escaped, unless it is markup itself. */
function html(parts, ...values) {
  const write = (value) => {
    if (Array.isArray(value)) return value.map(write).join('')
    if (value instanceof Markup) return value
    return String(value ?? '').replace(/[&<>"']/g, (sign) => signs[sign])
  }
  return new Markup(String.raw({ raw: parts }, ...values.map(write)))
}

const locales = { ja: 'ja-JP', en: 'en-US' }
/** Yen have no decimals. Japanese readers know 円, others ¥. */
const money = (amount, language) =>
  language === 'ja' ? `${amount.toLocaleString('ja-JP')}円` : `¥${amount.toLocaleString('en-US')}`
const date = (time, language) =>
  time.toLocaleString(locales[language], {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Tokyo',
  })

const checkout_script = html`<script src="${checkout_origin}/checkout.js" defer></script>`

function layout({ visitor, path = '/', title, scripts = '' }, content) {
  const { language } = visitor
  const text = words[language]
  const other = language === 'ja' ? 'en' : 'ja'
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title ? `${title} · ${text.shop}` : `${text.shop} · ${text.motto}`}</title>
<link rel="icon" href="/mark.svg">
<link rel="stylesheet" href="/shop.css">
${scripts}
</head>
<body>
<header>
<a class="name" href="/"><img src="/mark.svg" alt="" width="28" height="28">${text.shop}</a>
<nav>
<a href="${path}?language=${other}" lang="${other}" hreflang="${other}">${other === 'ja' ? '日本語' : 'English'}</a>
<a href="/cart">${text.cart} <span class="count">${countItems(visitor)}</span></a>
</nav>
</header>
${content}
<footer><p>${text.demo}</p><p>${text.demo_cards}</p></footer>
</body>
</html>`
}

export function productsPage({ visitor }) {
  const { language } = visitor
  const text = words[language]
  const cards = products.map(
    ({ id, price, [language]: product }) => html`<li>
<img src="/${id}.svg" alt="" width="320" height="320">
<div class="about"><h2>${product.name}</h2><p>${product.about}</p></div>
<form method="post" action="/cart" class="buy">
<p class="price">${money(price, language)} <small>${text.with_tax}</small></p>
<button name="product" value="${id}" aria-label="${text.add}: ${product.name}">${text.add}</button>
</form>
</li>`,
  )
  return layout(
    { visitor },
    html`<main>
<div class="hero"><h1>${text.hero}</h1><p>${text.hero_more}</p></div>
<ul class="products">${cards}</ul>
<section class="gift">
<img src="/gift.svg" alt="" width="160" height="100">
<div><h2>${text.gift}</h2><p>${text.gift_more}</p></div>
<a class="button quiet" href="${gift_link.url}">${text.gift_go}</a>
</section>
</main>`,
  )
}

function totals(amount, language, { shipping = true } = {}) {
  const text = words[language]
  return html`<dl class="totals">
${shipping ? html`<div><dt>${text.shipping}</dt><dd>${text.free}</dd></div>` : ''}
<div class="sum"><dt>${text.total}</dt><dd>${money(amount, language)}</dd></div>
</dl>`
}

function cartLine({ id, quantity, price }, language) {
  const text = words[language]
  const { name } = findProduct(id)[language]
  const options = Array.from({ length: 9 }, (_, at) => at + 1).map(
    (one) => html`<option${one === quantity ? html` selected` : ''}>${one}</option>`,
  )
  return html`<li>
<img src="/${id}.svg" alt="" width="96" height="96">
<div><h2>${name}</h2><p>${money(price, language)}</p>
<form method="post" action="/cart" data-quantity>
<input type="hidden" name="product" value="${id}">
<select name="quantity" aria-label="${text.quantity_of(name)}">${options}</select>
<button class="link">${text.change}</button>
</form>
<form method="post" action="/cart">
<input type="hidden" name="product" value="${id}">
<button class="link" name="quantity" value="0" aria-label="${text.remove_of(name)}">${text.remove}</button>
</form></div>
<p class="amount">${money(price * quantity, language)}</p>
</li>`
}

export function cartPage({ visitor }) {
  const { language, order } = visitor
  const text = words[language]
  const items = priceItems(visitor.cart)
  const path = '/cart'
  const waits = order?.status === 'waiting'
  const notice = waits
    ? html`<p class="notice">${text.unpaid_order} <a href="/orders/${order.id}">${text.see_order}</a></p>`
    : ''
  if (items.length === 0) {
    return layout(
      { visitor, path, title: text.cart },
      html`<main class="narrow">${notice}<h1>${text.empty}</h1><p>${text.empty_more}</p>
<a class="button" href="/">${text.to_shop}</a></main>`,
    )
  }
  const scripts = html`${checkout_script}<script src="/cart.js" type="module"></script>`
  return layout(
    { visitor, path, title: text.cart, scripts },
    html`<main class="split">
<div>${notice}<h1>${text.cart}</h1><ul class="lines">${items.map((item) => cartLine(item, language))}</ul></div>
<form class="pay" method="post" action="/checkout">
${totals(sumOf(items), language)}
<button>${text.pay}</button>
<p class="or">${text.other_ways}</p>
<button type="button" class="quiet" data-overlay hidden>${text.pay_here}</button>
<a class="button quiet" href="/card">${text.pay_card}</a>
<p class="fault" role="alert" hidden data-fault="${text.trouble[1]}"></p>
<p class="safe">${text.safe}</p>
</form>
</main>`,
  )
}

export function cardPage({ visitor }) {
  const { language } = visitor
  const text = words[language]
  const items = priceItems(visitor.cart)
  const amount = money(sumOf(items), language)
  const field = (name) => html`<div class="field"><span id="${name}-label">${text[name]}</span>
<div class="frame" id="${name}"></div><p class="fault" id="${name}-fault" role="alert" hidden></p></div>`
  return layout(
    {
      visitor,
      path: '/card',
      title: text.card_title,
      scripts: html`${checkout_script}<script src="/card.js" type="module"></script>`,
    },
    html`<main class="narrow">
<h1>${text.card_title}</h1>
<form id="card" class="pay" method="post" action="/card" data-app-token="${app_token}">
<noscript><p class="notice">${text.needs_script}</p></noscript>
<input type="hidden" name="transaction_token_id">
<label class="field"><span>${text.email}</span>
<input name="email" type="email" autocomplete="email" required></label>
${field('card_number')}
<div class="pair">${field('expiry')}${field('cvv')}</div>
${field('cardholder')}
<p class="fault" id="card-fault" role="alert" hidden></p>
<button data-paying="${text.paying}">${text.pay_amount(amount)}</button>
<p class="safe">${text.safe}</p>
</form>
<p><a href="/cart">${text.to_cart}</a></p>
</main>`,
  )
}

/** The actions a customer has for an order. */
function nextStep(order, bank, text) {
  const { way, status, session_url } = order
  if (bank) {
    const fields = Object.entries(bank.payload).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )
    return html`<form method="post" action="${bank.issuer_token}">${fields}<button>${text.bank}</button></form>`
  }
  if (status === 'open' && session_url) {
    return html`<a class="button" href="${session_url}">${text.continue}</a>`
  }
  if (status === 'waiting' && session_url) {
    return html`<a class="button" href="${session_url}">${text.instructions}</a>`
  }
  if (status === 'failed' && way === 'card') {
    return html`<a class="button" href="/card">${text.retry}</a>`
  }
  return ''
}

function stateOf({ status, gift_code }, bank, text) {
  if (bank) return text.bank_state
  return gift_code ? text.gift_paid : text.states[status]
}

export function orderPage({ visitor, order, bank }) {
  const { language } = visitor
  const text = words[language]
  const { id, way, status, items, amount, paid_on, gift_code } = order
  const [heading, sentence] = stateOf(order, bank, text)
  const changes = status === 'open' || status === 'waiting'
  const lines = items.map(
    (item) => html`<li><img src="/${item.id}.svg" alt="" width="64" height="64">
<div><h3>${findProduct(item.id)[language].name}</h3><p>× ${item.quantity}</p></div>
<p class="amount">${money(item.price * item.quantity, language)}</p></li>`,
  )
  const gift = html`<li><img src="/gift.svg" alt="" width="64" height="64"><div><h3>${text.gift}</h3></div>
<p class="amount">${money(amount, language)}</p></li>`
  return layout(
    {
      visitor,
      path: `/orders/${id}`,
      title: heading,
      scripts: changes ? html`<script src="/order.js" type="module"></script>` : '',
    },
    html`<main class="narrow order" data-status="${status}">
<p class="badge ${status}">${text.badges[status]}</p>
<h1>${heading}</h1>
<p>${sentence}</p>
${gift_code ? html`<p class="code"><span>${text.gift_code}</span>${gift_code}</p>` : ''}
${nextStep(order, bank, text)}
<section><h2>${text.order}</h2>
<ul class="lines small">${way === 'link' ? gift : lines}</ul>
${totals(amount, language, { shipping: way !== 'link' })}
<dl class="facts"><div><dt>${text.number}</dt><dd>${id.slice(-8).toUpperCase()}</dd></div>
${paid_on ? html`<div><dt>${text.date}</dt><dd>${date(paid_on, language)}</dd></div>` : ''}</dl>
</section>
<a class="button quiet" href="/">${text.to_shop}</a>
</main>`,
  )
}

/** A page that says that something is missing or wrong: `missing` or `trouble`. */
export function messagePage({ visitor, name }) {
  const text = words[visitor.language]
  const [heading, sentence] = text[name]
  return layout(
    { visitor, title: heading },
    html`<main class="narrow"><h1>${heading}</h1><p>${sentence}</p>
<a class="button" href="/">${text.to_shop}</a></main>`,
  )
}
