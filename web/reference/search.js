import { words } from './words.js'

const box = document.querySelector('.search')
const input = document.getElementById('search')
const found = document.getElementById('found')
const max_results = 12

let index = null
let loading = null
let selected = 0

/** Loaded at the first use; every place is one row. */
async function load() {
  loading ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .then(({ pages }) => {
      index = pages.flatMap(rowsOf)
    })
    .catch(() => {
      loading = null
    })
  await loading
}

function rowsOf({ title, path, words: own, entries }) {
  const context = `${title} ${own}`.toLowerCase()
  const page = { title, address: path, page: path, text: '', rank: 0, all: context }
  const places = entries.map(([name, fragment, text]) => ({
    title: name,
    address: `${path}#${fragment}`,
    page: title,
    text,
    rank: rankOf(fragment),
    all: `${name} ${text}`.toLowerCase(),
  }))
  return [page, ...places].map((row) => ({ ...row, context, key: row.title.toLowerCase() }))
}

/** Operations come before objects, objects before fields. */
function rankOf(fragment) {
  if (fragment.includes('.')) return 3
  return /^[a-z]/.test(fragment) ? 1 : 2
}

/** Lower is better; null: not found. Every word must occur. */
function scoreOf(row, terms) {
  let score = row.rank
  for (const term of terms) {
    if (row.key === term) score -= 6
    else if (row.key.startsWith(term)) score -= 3
    else if (row.key.includes(term)) score -= 2
    else if (row.all.includes(term)) score += 1
    else if (row.context.includes(term)) score += 3
    else return null
  }
  return score
}

function search(text) {
  const terms = text.toLowerCase().normalize('NFKC').split(/\s+/).filter(Boolean)
  if (terms.length === 0 || !index) return []
  return index
    .map((row) => ({ row, score: scoreOf(row, terms) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => a.score - b.score || a.row.key.length - b.row.key.length)
    .slice(0, max_results)
    .map(({ row }) => row)
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
  if (is_open) render(search(text))
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
