/** Copies a text; false when the browser does not allow it. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Lets a button copy a text and confirm it briefly. */
export function enableCopy(button, readText, copied) {
  const title = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    if (!(await copyText(readText()))) return
    button.textContent = copied
    setTimeout(() => {
      button.textContent = title
    }, 1500)
  })
}
