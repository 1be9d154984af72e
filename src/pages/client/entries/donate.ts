/** The script of pages on which a visitor pays with a wallet. */
import type { DonateProps } from '../../components/payment/donate-props.ts'
import { startDonate } from '../donate/island.tsx'

for (const island of document.querySelectorAll<HTMLElement>('[data-island="donate"]')) {
  const form = island.closest('form')
  const props = JSON.parse(island.dataset.props ?? '') as DonateProps
  if (form) startDonate(island, form, props)
}

/** The suggested amounts are links, which fill in the form without a new page. */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-amount]') : null
  if (!(link instanceof HTMLElement)) return
  event.preventDefault()
  for (const name of ['amount', 'currency']) {
    const field = document.querySelector<HTMLInputElement>(`[name="${name}"]:enabled`)
    if (!field) continue
    field.value = link.dataset[name] ?? ''
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
})
