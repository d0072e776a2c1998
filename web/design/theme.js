// Runs before the first paint: the color scheme that was chosen, otherwise that of the system.
{
  const root = document.documentElement
  const read = () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null
    }
  }
  const chosen = read()
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen

  const system = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark'
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('.theme')
    if (!button) return
    button.hidden = false
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark'
      try {
        localStorage.setItem('theme', root.dataset.theme)
      } catch {
        // Without storage the choice lasts until the page is left.
      }
    })
  })
}
