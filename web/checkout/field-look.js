// A shop's options for the look of a card field: a closed list of names, each with values that can only be
// a look. Nothing of it is read as CSS.
const color = (value) => (/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value) ? value : null)
const pixels = (min, max) => (value) =>
  Number.isInteger(value) && value >= min && value <= max ? `${value}px` : null
const oneOf = (values) => (value) => (Object.hasOwn(values, value) ? values[value] : null)

const tokens = {
  color,
  background: color,
  focus_color: color,
  focus_background: color,
  error_background: color,
  placeholder_color: color,
  error_color: color,
  color_scheme: oneOf({ light: 'light', dark: 'dark' }),
  font_family: oneOf({
    system: 'system-ui, "Hiragino Sans", "Noto Sans JP", sans-serif',
    serif: 'Georgia, "Hiragino Mincho ProN", "Noto Serif JP", serif',
    mono: 'ui-monospace, Menlo, Consolas, monospace',
  }),
  font_size: pixels(12, 24),
  font_weight: oneOf({ 400: '400', 500: '500', 600: '600', 700: '700' }),
  height: pixels(24, 80),
  padding: pixels(0, 24),
  padding_x: pixels(0, 24),
  letter_spacing: pixels(0, 4),
  text_align: oneOf({ left: 'left', center: 'center', right: 'right' }),
}

const max_placeholder = 60

/** Applies what is on the list, and returns the names of what is not. */
export function applyLook(text) {
  const { style } = document.documentElement
  const input = document.querySelector('input')
  return Object.entries(readLook(text)).flatMap(([name, value]) => {
    if (name === 'placeholder' && input && String(value).length <= max_placeholder) {
      input.placeholder = String(value)
      return []
    }
    const look = Object.hasOwn(tokens, name) ? tokens[name](value) : null
    if (look === null) return name
    style.setProperty(`--${name}`, look)
    return []
  })
}

function readLook(text) {
  try {
    return JSON.parse(decodeURIComponent(text)) ?? {}
  } catch {
    return {}
  }
}
