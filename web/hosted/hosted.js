// Everything on these pages works without this script: it adds copying, printing, showing a password and
// noticing by itself that something has arrived.
import { copyText } from '../design/copy.js'

const said = document.querySelector('.said')

for (const button of document.querySelectorAll('.copy')) {
  const title = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const value = button.closest('div').querySelector('dd')
    if (!(await copyText(button.value))) {
      // Without permission to write, the value is selected: the customer copies it manually.
      getSelection().selectAllChildren(value)
      return
    }
    button.textContent = button.dataset.copied
    said.textContent = button.dataset.copied
    setTimeout(() => {
      button.textContent = title
      said.textContent = ''
    }, 1500)
  })
}

for (const button of document.querySelectorAll('.print')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

for (const button of document.querySelectorAll('.reveal')) {
  const { shown, hidden } = button.dataset
  const input = button.parentElement.querySelector('input')
  button.hidden = false
  button.addEventListener('click', () => {
    const is_shown = input.type === 'password'
    input.type = is_shown ? 'text' : 'password'
    button.textContent = is_shown ? shown : hidden
    button.setAttribute('aria-pressed', String(is_shown))
  })
}

// In a frame of the checkout, the bank's page opens without a click.
document.querySelector('.in-checkout form.forward')?.submit()

const { state } = document.querySelector('main').dataset
const first_ms = 4000
const last_ms = 30_000

async function readState() {
  const response = await fetch(location.pathname, { headers: { accept: 'text/html' } })
  if (!response.ok) return state
  return /<main[^>]* data-state="([^"]*)"/.exec(await response.text())?.[1]
}

/** Asks less often as time passes; not while the page is hidden, and not while a tester types. */
async function watch() {
  for (let wait_ms = first_ms; ; wait_ms = Math.min(wait_ms * 1.2, last_ms)) {
    await new Promise((next) => setTimeout(next, wait_ms))
    if (document.hidden || document.activeElement?.matches('input')) continue
    if ((await readState().catch(() => state)) !== state) break
  }
  location.replace(location.pathname)
}
if (state) void watch()
