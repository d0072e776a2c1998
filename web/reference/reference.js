import { copyText, enableCopy } from '../design/copy.js'
import { highlight } from '../design/highlight.js'
import { words } from './words.js'

/** The same page with samples in another language, without leaving the place. */
async function choose(link) {
  const response = await fetch(link.href)
  if (!response.ok) throw new Error(response.statusText)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const id = link.closest('section').id
  const before = link.getBoundingClientRect().top
  for (const samples of document.querySelectorAll('.samples')) {
    const section = page.getElementById(samples.closest('section').id)
    samples.replaceChildren(...section.querySelector('.samples').children)
  }
  prepare(document)
  const chosen = document.getElementById(id).querySelector('.samples [aria-current]')
  chosen.focus({ preventScroll: true })
  // Samples above may be longer now: the clicked element keeps its position.
  scrollBy(0, chosen.getBoundingClientRect().top - before)
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.languages a')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  choose(link).catch(() => location.assign(link.href))
})

/** Adds what only scripts can do: buttons that copy, and colors. */
function prepare(root) {
  for (const bar of root.querySelectorAll('.card > .bar')) {
    const code = bar.parentElement.querySelector(':scope > pre')
    if (!code || bar.querySelector('.copy')) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = words.copy
    bar.append(button)
    enableCopy(button, () => code.textContent, words.copied)
  }
  highlight(root)
}
prepare(document)

const note = document.getElementById('note')
let hiding = 0
function show(text) {
  note.textContent = text
  note.hidden = false
  clearTimeout(hiding)
  hiding = setTimeout(() => {
    note.hidden = true
  }, 1500)
}

// A click on a heading or a field copies its address.
document.addEventListener('click', async ({ target }) => {
  const link = target.closest?.('h2 > a[href^="#"], a.name[href^="#"], .fields li > a[href^="#"]')
  if (link && (await copyText(location.origin + location.pathname + link.hash))) {
    show(words.link_copied)
  }
})

/** A field that is shown elsewhere: the field that it is in. */
function closest(id) {
  const parts = id.split('.')
  while (parts.pop()) {
    const found = parts.length > 0 && document.getElementById(parts.join('.'))
    if (found) return found
  }
  return null
}

/** A field in a folded list is shown when its address is opened. */
function unfold() {
  const id = decodeURIComponent(location.hash.slice(1))
  const exact = document.getElementById(id)
  const target = exact ?? closest(id)
  if (!target) return
  let changed = !exact
  for (let at = target.closest('details'); at; at = at.parentElement.closest('details')) {
    changed ||= !at.open
    at.open = true
  }
  if (changed) target.scrollIntoView()
}
addEventListener('hashchange', unfold)
unfold()

// The open page is in view in a long navigation.
const nav = document.querySelector('.pages')
const current = nav.querySelector('[aria-current]')
if (current && current.offsetTop > nav.clientHeight) nav.scrollTop = current.offsetTop - 80
