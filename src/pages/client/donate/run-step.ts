import type { DonateProps } from '../../components/payment/donate-props.ts'
import type { Intent } from '../../shared/payment.ts'
import type { Payment, PaymentEvent, Problem } from '../../shared/payment-machine.ts'
import { unitsOf } from '../../shared/typed-amount.ts'
import { toWalletError } from '../../shared/wallet-problem.ts'
import { connect, isContract, readBalances } from '../wallet/account.ts'
import { chainIdOf, switchChain } from '../wallet/chain.ts'
import type { Provider } from '../wallet/provider.ts'
import { noteAsked, takeAsked } from './asked-before.ts'
import { noteSlow, withSlowNotes } from './note-slow.ts'
import { payIntent } from './pay-intent.ts'
import { payOnce, StoppedError } from './pay-once.ts'
import { attachHash, RefusedError, recordIntent } from './server.ts'
import { wantedOf } from './wanted.ts'

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
    const problem = await missingFunds(work)
    work.emit(
      problem ? { type: 'failed', attempt, problem, detail: '' } : { type: 'funds-found', attempt },
    )
  },

  async intent({ state: { attempt, account }, props, fields, keep, emit }) {
    const form = fields()
    form.set('wallet', account ?? '')
    const intent = await recordIntent(props.action, form)
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
  if (hash !== null) await attachHash(id, hash)
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
