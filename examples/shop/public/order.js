// An order that is not paid yet: the page shows it as soon as the shop knows more.
const { status } = document.querySelector('main').dataset
const path = `${location.pathname}/status`

async function hasChanged() {
  try {
    const order = await (await fetch(path)).json()
    return order.status !== status
  } catch {
    return false
  }
}

for (let pause_ms = 1000; ; pause_ms = Math.min(pause_ms * 1.5, 15_000)) {
  await new Promise((next) => setTimeout(next, pause_ms))
  if (await hasChanged()) location.reload()
}
