/** Shows the note of a form whose answer has not come some seconds after it was sent. */

const SLOW_AFTER_MS = 8_000

document.addEventListener('submit', (event) => {
  const note = (event.target as Element).querySelector<HTMLElement>('[data-slow]')
  if (!note || event.defaultPrevented) return
  const timer = setTimeout(() => {
    note.hidden = false
  }, SLOW_AFTER_MS)
  // The answer has come, and the browser may show this page again later.
  addEventListener('pagehide', () => clearTimeout(timer), { once: true })
})
