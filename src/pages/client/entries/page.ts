/**
 * The small script of all pages: copies, shares, prints, moves the focus to refused forms, and
 * writes moments in the reader's own time zone.
 */

import { writeMoments } from '../write-moments.ts'

/** A reader may close the dialog. A browser may refuse; then the text can be copied by hand. */
const ignore = () => undefined

const said = document.createElement('div')
said.role = 'status'
said.className = 'visually-hidden'
document.body.append(said)

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest('button')
  if (!button) return
  const { print: asksPrint, share: title, copied = '', copy } = button.dataset
  const url = location.origin + location.pathname
  if (asksPrint !== undefined) print()
  if (title !== undefined && 'share' in navigator) {
    navigator.share({ title, text: title, url }).catch(ignore)
  } else if (title ?? copy) {
    const done = () => {
      button.classList.add('copy-done')
      said.textContent = copied
      button.querySelector('span')?.replaceChildren(copied)
    }
    navigator.clipboard.writeText(copy ?? url).then(done, ignore)
  }
})

document.querySelector<HTMLElement>('[data-focus]')?.focus()
writeMoments(document)
document.addEventListener('fresh', (event) =>
  writeMoments((event as CustomEvent<ParentNode>).detail),
)
