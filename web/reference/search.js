import { findPlaces, readPlaces } from './find-places.js'
import { words } from './words.js'

const box = document.querySelector('.search')
const input = document.getElementById('find')
const found = document.getElementById('found')

let places = null
let loading = null
let selected = 0

/** Loaded at the first use. */
async function load() {
  loading ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .then((index) => {
      places = readPlaces(index)
    })
    .catch(() => {
      loading = null
    })
  await loading
}

function render(rows) {
  const options = rows.map((row, at) => {
    const option = document.createElement('a')
    option.id = `found-${at}`
    option.role = 'option'
    option.href = row.address
    option.tabIndex = -1
    option.append(row.title, part('', row.page), ...(row.text ? [part('words', row.text)] : []))
    return option
  })
  const nothing = document.createElement('p')
  nothing.role = 'option'
  nothing.setAttribute('aria-disabled', 'true')
  nothing.textContent = words.nothing_found
  found.replaceChildren(...(options.length > 0 ? options : [nothing]))
  select(0)
}

function part(name, text) {
  const span = document.createElement('span')
  span.className = name
  span.textContent = text
  return span
}

function select(at) {
  const options = [...found.querySelectorAll('a')]
  selected = options.length > 0 ? (at + options.length) % options.length : 0
  for (const [place, option] of options.entries()) {
    option.setAttribute('aria-selected', String(place === selected))
  }
  options[selected]?.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', options[selected]?.id ?? '')
}

async function update() {
  await load()
  const text = input.value.trim()
  const is_open = text !== '' && document.activeElement === input
  if (is_open) render(places ? findPlaces(places, text) : [])
  open(is_open)
}

function open(is_open) {
  found.hidden = !is_open
  input.setAttribute('aria-expanded', String(is_open))
}

box.hidden = false
input.addEventListener('focus', update)
input.addEventListener('input', update)
input.addEventListener('keydown', (event) => {
  if (event.isComposing) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    select(selected + (event.key === 'ArrowDown' ? 1 : -1))
  } else if (event.key === 'Enter') {
    event.preventDefault()
    found.querySelectorAll('a')[selected]?.click()
  } else if (event.key === 'Escape') {
    input.value = ''
    input.blur()
  }
})
input.addEventListener('blur', () => setTimeout(() => open(false), 150))
found.addEventListener('click', () => {
  input.value = ''
  open(false)
})
addEventListener('keydown', (event) => {
  const is_typing = event.target.closest?.('input, textarea, select')
  if (event.key !== '/' || is_typing || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})
