import { hydrate, render } from 'preact'
import { type DonateProps, PaymentPanel, PHONE } from '../../components/payment-panel.tsx'
import { formatMoney, shorten } from '../../shared/format.ts'
import type { Intent } from '../../shared/payment.ts'
import {
  isWaiting,
  nextPayment,
  type PaymentEvent,
  startPayment,
} from '../../shared/payment-machine.ts'
import { isDecimal, wantedOf } from '../../shared/typed.ts'
import { firstAccount, listen } from '../wallet/events.ts'
import type { Provider } from '../wallet/provider.ts'
import { type Wallet, watchWallets } from '../wallet/wallets.ts'

/**
 * Runs the payment panel in its place in a form. Renders it again after each change. Does without
 * the hooks of Preact, which would be a tenth of the script.
 */
const startDonate = (place: HTMLElement, form: HTMLFormElement, props: DonateProps): void => {
  let payment = startPayment(props.chain.id, props.intent)
  let wallets: readonly Wallet[] | null = null
  // A form that came back with an address was one for a phone.
  let choice = props.address?.value ? PHONE : ''
  let address = typedAddress(form)
  let provider: Provider | undefined
  let stops: (() => void)[] = []
  let draw = hydrate

  const fields = () => fieldsOf(form)

  const show = (): void => {
    const chosen = choice || wallets?.[0]?.id || PHONE
    const wallet = wallets?.find(({ id }) => id === chosen)
    follow(wallet?.provider)
    const { amount, currency } = wantedOf(payment.intent, fields(), props.lang)
    draw(
      <PaymentPanel
        texts={props.texts}
        wallets={wallets}
        chosen={chosen}
        payment={payment}
        values={{
          wallet: wallet?.name || props.texts.browserWallet,
          amount: amountText(props.lang, amount, currency),
          currency,
          from: shorten(payment.intent?.wallet ?? payment.account ?? ''),
        }}
        isNew={props.intent === null}
        walletLinks={props.walletLinks}
        audit={props.audit}
        address={{ ...props.address, value: address }}
        onCancel={() => emit({ type: 'cancelled' })}
      />,
      place,
    )
    draw = render
  }

  /** Listens to the chosen wallet, and to no other one. */
  const follow = (next: Provider | undefined): void => {
    if (next === provider) return
    for (const stop of stops) stop()
    provider = next
    showSteps()
    stops = next
      ? [
          listen(next, 'accountsChanged', (value) =>
            emit({ type: 'account-changed', account: firstAccount(value) }),
          ),
          listen(next, 'chainChanged', (value) =>
            emit({ type: 'chain-changed', chainId: Number(value) }),
          ),
        ]
      : []
  }

  /** The page of an intent to an escrow lists the requests of the wallet, before it asks. */
  const showSteps = (): void => {
    const wallet = provider
    const { intent } = props
    if (!wallet || !intent?.methods) return
    import('../donate/run-step.ts')
      .then((code) => code.showSteps(wallet, intent))
      .catch(() => undefined)
  }

  const emit = (event: PaymentEvent): void => {
    const { step, attempt } = payment
    payment = nextPayment(payment, event)
    show()
    if (payment.step !== step || payment.attempt !== attempt) work()
    if (payment.step === 'pay') showSteps()
  }

  /** Does the work of a step that waits. */
  const work = (): void => {
    if (!provider || !isWaiting(payment)) return
    const { attempt } = payment
    const step = {
      ...{ props, state: payment, provider, fields, keep, emit },
      goTo: (path: string) => location.assign(path),
      isCurrent: () => payment.attempt === attempt,
    }
    const late = new Promise<never>((_, reject) => setTimeout(reject, LOADED_WITHIN_MS))
    // The first press loads this code, so that the page itself is small.
    Promise.race([import('../donate/run-step.ts'), late]).then(
      ({ runStep }) => runStep(step),
      () => emit({ type: 'failed', attempt, problem: 'unreachable', detail: '' }),
    )
  }

  const keep = ({ id }: Intent): void => {
    // The page of the donation continues after a reload.
    history.replaceState(null, '', `/d/${id}`)
    for (const field of form.querySelectorAll('fieldset')) {
      if (!field.closest('[data-island]')) field.disabled = true
    }
  }

  form.addEventListener('input', ({ target }) => {
    const { name, value } = target as HTMLInputElement
    if (name === 'wallet') address = value
    if (name === 'way') {
      choice = value
      emit({ type: 'wallet-chosen' })
    } else show()
  })
  form.addEventListener('submit', (event) => {
    // The buttons with an address of their own, and the phone, use the form as it is.
    if (event.submitter?.hasAttribute('formaction') || !provider) return
    event.preventDefault()
    emit({ type: 'pressed' })
  })
  show()
  watchWallets(window, (found) => {
    wallets = found
    show()
  })
}

/** After this time without the code of the payment, the page says that it cannot be reached. */
const LOADED_WITHIN_MS = 8_000

/** The address that the visitor typed, perhaps before this script ran. */
const typedAddress = (form: HTMLFormElement): string =>
  form.querySelector<HTMLInputElement>('input[name="wallet"]')?.value ?? ''

/** The fields of a form as text, without files. */
const fieldsOf = (form: HTMLFormElement): URLSearchParams => {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') fields.append(name, value)
  }
  return fields
}

/** A text that is no amount stays as it is; the server refuses it. */
const amountText = (lang: string, value: string, currency: string): string =>
  isDecimal(value) ? formatMoney(lang, { value, currency }) : `${value}\u00a0${currency}`

/** The script of pages on which a visitor pays with a wallet. */

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
