import { useEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { DonateProps } from '../../components/payment/donate-props.ts'
import { PaymentPanel, PHONE } from '../../components/payment/payment-panel.tsx'
import { formatAmount, shorten } from '../../shared/format.ts'
import type { Gift } from '../../shared/gift.ts'
import { isWaiting, nextPayment, startPayment } from '../../shared/payment-machine.ts'
import { firstAccount, listen } from '../wallet/events.ts'
import { type Wallet, watchWallets } from '../wallet/wallets.ts'
import { wantedOf } from './wanted.ts'

/** The payment panel in the browser. `form` is the form around it. */
export const DonateIsland = ({ props, form }: { props: DonateProps; form: HTMLFormElement }) => {
  const [payment, emit] = useReducer(nextPayment, startPayment(props.chain.id, props.gift))
  const [wallets, setWallets] = useState<readonly Wallet[] | null>(null)
  // A form that came back with an address was one for a phone.
  const [choice, setChoice] = useState(props.address?.value ? PHONE : '')
  const [address, setAddress] = useState(() => typedAddress(form))
  const [road, setRoad] = useState(props.road)
  const gift = useRef<Gift | null>(props.gift)
  const newest = useRef(0)
  newest.current = payment.attempt
  const [, noteInput] = useReducer((count: number) => count + 1, 0)

  const chosen = choice || wallets?.[0]?.id || PHONE
  const wallet = wallets?.find(({ id }) => id === chosen)
  const provider = wallet?.provider
  const fields = () => fieldsOf(form)

  useEffect(() => watchWallets(window, setWallets), [])
  useEffect(() => {
    form.addEventListener('input', noteInput)
    return () => form.removeEventListener('input', noteInput)
  }, [])
  useEffect(() => {
    if (!provider) return
    const stops = [
      listen(provider, 'accountsChanged', (value) =>
        emit({ type: 'account-changed', account: firstAccount(value) }),
      ),
      listen(provider, 'chainChanged', (value) =>
        emit({ type: 'chain-changed', chainId: Number(value) }),
      ),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [provider])
  useEffect(() => {
    const onSubmit = (event: SubmitEvent): void => {
      // The buttons with an address of their own, and the phone, use the form as it is.
      if (event.submitter?.hasAttribute('formaction') || !provider) return
      event.preventDefault()
      emit({ type: 'pressed' })
    }
    form.addEventListener('submit', onSubmit)
    return () => form.removeEventListener('submit', onSubmit)
  }, [provider])
  useEffect(() => {
    if (!provider || !isWaiting(payment)) return
    const keep = (recorded: Gift): void => {
      gift.current = recorded
      // The page of the donation continues after a reload.
      history.replaceState(null, '', `/d/${recorded.id}`)
      for (const field of form.querySelectorAll('fieldset')) {
        if (!field.closest('[data-island]')) field.disabled = true
      }
    }
    const { attempt } = payment
    const goTo = (path: string) => location.assign(path)
    const work = {
      ...{ props, state: payment, provider, road, fields, keep, emit, goTo },
      gift: gift.current,
      isCurrent: () => newest.current === attempt,
    }
    // The first press loads this code, so that the page itself is small.
    import('./run-step.ts').then(
      ({ runStep }) => runStep(work),
      () => emit({ type: 'failed', attempt, problem: 'unreachable', detail: '' }),
    )
  }, [payment.step, payment.attempt])

  const { amount, symbol } = wantedOf({ gift: gift.current, fields, props })
  return (
    <PaymentPanel
      texts={props.texts}
      wallets={wallets}
      chosen={chosen}
      payment={payment}
      values={{
        wallet: wallet?.name || props.texts.browserWallet,
        amount: `${amountText(props.lang, amount)}\u00a0${symbol}`,
        currency: symbol,
        from: shorten(payment.intent?.wallet ?? payment.account ?? ''),
      }}
      hasPhone={props.hasPhone}
      road={road}
      address={{ ...props.address, value: address }}
      onAddress={setAddress}
      onChoose={(id) => {
        setChoice(id)
        emit({ type: 'wallet-chosen' })
      }}
      onCancel={() => emit({ type: 'cancelled' })}
      onRoad={setRoad}
    />
  )
}

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
const amountText = (lang: string, amount: string): string =>
  /^\d+(\.\d+)?$/.test(amount) ? formatAmount(lang, amount) : amount
