import type { DonateProps } from '../../components/payment-panel.tsx'
import type { Intent } from '../../shared/payment.ts'
import type { Payment, PaymentEvent, Problem } from '../../shared/payment-machine.ts'
import { unitsOf, wantedOf } from '../../shared/typed.ts'
import { toWalletError } from '../../shared/wallet-problem.ts'
import { chainIdOf, connect, isContract, readBalances, switchChain } from '../wallet/account.ts'
import type { Provider } from '../wallet/provider.ts'
import { payIntent, showSteps } from './pay-intent.ts'
import { attachHash, RefusedError, recordIntent } from './server.ts'

export { showSteps }

type Work = {
  props: DonateProps
  state: Payment
  provider: Provider
  /** The fields of the form. */
  fields: () => URLSearchParams
  /** Called with the intent that the server has recorded. */
  keep: (intent: Intent) => void
  emit: (event: PaymentEvent) => void
  /** Whether the page still waits for this attempt. */
  isCurrent: () => boolean
  /** Opens another page. */
  goTo: (path: string) => void
}

/** Does the work of a step that waits, and emits one event with the result. */
export const runStep = async (work: Work): Promise<void> => {
  const { state, emit } = work
  const provider = withSlowNotes(work.provider, { attempt: state.attempt, emit })
  try {
    await STEPS[state.step]?.({ ...work, provider })
  } catch (error) {
    if (error instanceof StoppedError) return
    const [problem, detail] = problemIn(error)
    emit({ type: 'failed', attempt: state.attempt, problem, detail })
  }
}

const problemIn = (error: unknown): [Problem, string] => {
  if (error instanceof RefusedError) return [error.problem, error.message]
  const { problem, message } = toWalletError(error)
  return [problem, problem === 'failed' ? message : '']
}

const STEPS: Partial<Record<Payment['step'], (work: Work) => Promise<void>>> = {
  async connecting({ state: { attempt }, provider, emit }) {
    const account = await connect(provider)
    emit({ type: 'connected', attempt, account, chainId: await chainIdOf(provider) })
  },

  async switching({ state: { attempt }, provider, props, emit }) {
    await switchChain(provider, props.chain)
    emit({ type: 'switched', attempt })
  },

  async checking(work) {
    const { attempt } = work.state
    const problem = await noteSlow({ attempt, emit: work.emit }, missingFunds(work))
    work.emit(
      problem ? { type: 'failed', attempt, problem, detail: '' } : { type: 'funds-found', attempt },
    )
  },

  async intent({ state: { attempt, account }, props, fields, keep, emit, goTo }) {
    const form = fields()
    form.set('wallet', account ?? '')
    const intent = await noteSlow({ attempt, emit }, recordIntent(props.action, form))
    // The page of the donation lists the requests of the wallet before the wallet asks.
    if (intent.methods) return goTo(`/d/${intent.id}`)
    keep(intent)
    emit({ type: 'recorded', attempt, intent })
  },

  async confirm(work) {
    const { emit, state } = work
    const { attempt, intent } = state
    if (!intent) return
    const wait = (older: Promise<void>) => noteSlow({ attempt, emit }, older)
    await payOnce(intent.id, () => pay(work, intent), wait)
  },
}

/** Pays the intent and opens its page. Warns once if an earlier page may have paid it. */
const pay = async (work: Work, intent: Intent): Promise<void> => {
  const { provider, emit, goTo, state } = work
  const { id, wallet } = intent
  if (takeAsked(id)) {
    const { attempt } = state
    return emit({ type: 'failed', attempt, problem: 'perhaps-paid', detail: '' })
  }
  const needsSigners = await isContract(provider, wallet).catch(() => false)
  noteAsked(id)
  const hash = await payIntent(provider, intent, () => checkAttempt(work)).catch((error) => {
    takeAsked(id)
    throw error
  })
  if (needsSigners) return emit({ type: 'signers-asked' })
  emit({ type: 'sent' })
  // The payment also counts without its hash, so the donor does not wait for a server that hangs.
  const pause = new Promise((resolve) => setTimeout(resolve, SLOW_AFTER_MS))
  if (hash !== null) await Promise.race([attachHash(id, hash), pause])
  goTo(`/d/${id}`)
}

/**
 * Stops an attempt that the donor has stopped, and one whose wallet has left the chain.
 *
 * @throws StoppedError
 */
const checkAttempt = async ({ state, provider, emit, isCurrent }: Work): Promise<void> => {
  const chainId = await chainIdOf(provider)
  if (!isCurrent()) throw new StoppedError()
  if (chainId === state.wantedChain) return
  emit({ type: 'chain-changed', chainId })
  throw new StoppedError()
}

/** A wallet that cannot read balances is asked to pay all the same. */
const missingFunds = async ({ state, provider, props, fields }: Work): Promise<Problem | null> => {
  const { currency, amount } = wantedOf(state.intent, fields(), props.lang)
  const asset = props.assets.find(({ symbol }) => symbol === currency)
  const units = asset && unitsOf(amount, asset.decimals)
  if (!asset || units === undefined || state.account === null) return null
  const balances = await readBalances(provider, state.account, asset.token).catch(() => null)
  if (!balances) return null
  const { native, token } = balances
  if ((token ?? native) < units) return 'no-funds'
  return native === 0n || (token === null && native === units) ? 'no-fee-funds' : null
}

/**
 * Notes that the wallet is asked to pay an intent. The note outlives the page, which the donor may
 * close before the wallet answers.
 */
const noteAsked = (id: string): void => {
  inStorage((storage) => storage.setItem(keyOf(id), '1'))
}

/** Removes the note of an intent, and says whether there was one. */
const takeAsked = (id: string): boolean =>
  inStorage((storage) => {
    const isNoted = storage.getItem(keyOf(id)) !== null
    storage.removeItem(keyOf(id))
    return isNoted
  }) ?? false

const keyOf = (id: string): string => `asked:${id}`

/** A browser may forbid pages to store anything. */
const inStorage = <Result>(work: (storage: Storage) => Result): Result | undefined => {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}

/** The donor has stopped this attempt, so it asks the wallet for nothing more. */
class StoppedError extends Error {}

/** The payments that wait for a wallet, by the id of the intent. */
const open = new Map<string, Promise<void>>()

/**
 * Pays an intent, unless an older attempt still waits for the wallet. Then this attempt gets the
 * answer to the older one, because a donor who confirms two requests pays twice. If the older
 * attempt was stopped between two requests, this one begins again.
 *
 * @throws StoppedError, and what `pay` throws
 */
const payOnce = async (
  id: string,
  pay: () => Promise<void>,
  wait: (older: Promise<void>) => Promise<void>,
): Promise<void> => {
  for (let older = open.get(id); older; older = open.get(id)) {
    try {
      return await wait(older)
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error
    }
  }
  const paying = pay().finally(() => open.delete(id))
  open.set(id, paying)
  return paying
}

/** After this time the page says what it waits for: the wallet, its network or the server. */
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
const noteSlow = async <Answer>(
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
const withSlowNotes = (provider: Provider, asking: Asking): Provider => ({
  request: (call) =>
    QUESTIONS.includes(call.method)
      ? noteSlow(asking, provider.request(call))
      : provider.request(call),
})
