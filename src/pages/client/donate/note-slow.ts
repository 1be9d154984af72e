import type { PaymentEvent } from '../../shared/payment-machine.ts'
import type { Provider } from '../wallet/provider.ts'

/** After this time the page says that the wallet has an open request. */
const SLOW_AFTER_MS = 8_000

/** The requests that the donor answers in the wallet. */
const QUESTIONS: readonly string[] = [
  'eth_requestAccounts',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_sendCalls',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
]

type Asking = { attempt: number; emit: (event: PaymentEvent) => void }

/** Emits an event when an answer of the wallet takes long, and one when it comes after all. */
export const noteSlow = async <Answer>(
  { attempt, emit }: Asking,
  answer: Promise<Answer>,
): Promise<Answer> => {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    emit({ type: 'waited', attempt })
  }, SLOW_AFTER_MS)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
    if (isSlow) emit({ type: 'answered', attempt })
  }
}

/** The same wallet, which notes each slow answer of the donor. */
export const withSlowNotes = (provider: Provider, asking: Asking): Provider => ({
  request: (call) =>
    QUESTIONS.includes(call.method)
      ? noteSlow(asking, provider.request(call))
      : provider.request(call),
})
