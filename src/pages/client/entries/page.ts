/**
 * The small script of all pages: copies, shares, prints, moves the focus to refused forms, and
 * writes moments in the reader's own time zone.
 */

import { writeMoments } from '../write-moments.ts'

const said = document.createElement('div')
said.role = 'status'
said.className = 'visually-hidden'
document.body.append(said)

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.dataset.print !== undefined) print()
  const { share, copied } = button?.dataset ?? {}
  const url = location.origin + location.pathname
  if (share !== undefined && 'share' in navigator) {
    navigator.share({ title: share, text: share, url }).catch(() => undefined)
    return
  }
  const copy = button?.dataset.copy ?? (share === undefined ? undefined : url)
  if (!button || copy === undefined) return
  const done = () => {
    button.classList.add('copy-done')
    said.textContent = copied ?? ''
    const label = button.querySelector('span')
    if (label) label.textContent = copied ?? ''
  }
  // A browser may refuse. Then the text stays there to be copied by hand.
  navigator.clipboard.writeText(copy).then(done, () => undefined)
})

document.querySelector<HTMLElement>('[data-focus]')?.focus()
writeMoments(document)
