// The checkout in a frame of a shop's page. It sends that page its height and its result, and nothing else;
// it accepts no messages.
const { parent: shop } = document.querySelector('script[data-parent]').dataset
const { step } = document.querySelector('main').dataset
const ends = { done: 'completed', expired: 'expired', canceled: 'canceled' }

function tell(type, more) {
  parent.postMessage({ kaikei: type, ...more }, shop)
}

/** Links lead the whole page away, not the frame; a customer who cancels is at the shop already. */
function leaveFrame(link) {
  if (link.getAttribute('href').startsWith('?') || link.target) return
  link.target = '_top'
  if (!('leave' in link.dataset)) return
  link.addEventListener('click', (event) => {
    event.preventDefault()
    tell('canceled', { url: link.href })
  })
}

if (parent !== window) {
  document.documentElement.classList.add('framed')
  for (const link of document.querySelectorAll('a[href]')) leaveFrame(link)
  tell('ready', { title: document.title })
  const { body } = document
  new ResizeObserver(() => tell('height', { height: Math.ceil(body.offsetHeight) })).observe(body)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tell('escape')
  })
  if (ends[step]) tell(ends[step])
}
