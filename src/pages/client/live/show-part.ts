type Policy = { createHTML(html: string): string }

/** Not all browsers have Trusted Types (W3C). The texts come from this service alone. */
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
const texts: Policy = { createHTML: (html) => html }
const policy = trustedTypes?.createPolicy('parts', texts) ?? texts

/** Marks HTML of this service as safe to show. The policy of the pages allows only this way. */
export const toHtml = (html: string): string => policy.createHTML(html)

/** HTML that waits until the focus leaves its part. */
const waiting = new Map<Element, string>()

/** Shows new HTML in a part, but never while the focus is inside. */
export const showPart = (part: Element, html: string): void => {
  if (part.contains(document.activeElement)) {
    waiting.set(part, html)
    return
  }
  waiting.delete(part)
  const fresh = document.createElement('template')
  fresh.innerHTML = toHtml(html)
  if (fresh.innerHTML === part.innerHTML) return
  // The elements of a fresh part fade in.
  part.classList.add('fresh')
  part.replaceChildren(fresh.content)
}

document.addEventListener('focusout', () => {
  // The focus has moved only after this event.
  setTimeout(() => {
    for (const [part, html] of waiting) showPart(part, html)
  })
})
