/**
 * The small script of all pages: copies, prints, moves the focus to refused forms, and writes
 * moments in the reader's own time zone.
 */

import { writeMoments } from '../write-moments.ts'

const said = document.createElement('div')
said.role = 'status'
said.className = 'visually-hidden'
document.body.append(said)

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.dataset.print !== undefined) print()
  const { copy, copied } = button?.dataset ?? {}
  if (!button || copy === undefined) return
  const done = () => {
    button.classList.add('copy-done')
    said.textContent = copied ?? ''
  }
  // A browser may refuse. Then the text stays there to be copied by hand.
  navigator.clipboard.writeText(copy).then(done, () => undefined)
})

document.querySelector<HTMLElement>('[data-focus]')?.focus()
writeMoments(document)
