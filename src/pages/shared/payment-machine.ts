import type { Intent } from './payment.ts'
import type { WalletProblem } from './wallet-problem.ts'

/**
 * The states of a payment by a wallet in the browser, as a pure reducer. In `connect`, `switch` and
 * `pay` the page waits for the button. After `sent`, the page of the donation takes over, because
 * the server knows the blocks.
 */
export const STEPS = [
  'connect',
  'connecting',
  'switch',
  'switching',
  'pay',
  'checking',
  'intent',
  'confirm',
  'sent',
  'signers',
] as const
export type Step = (typeof STEPS)[number]

/** The reasons of a stop that do not come from the wallet. */
export const PAGE_PROBLEMS = [
  'no-funds',
  'wrong-account',
  'perhaps-paid',
  'blocked',
  'closed',
  'too-many',
  'limited',
  'refused',
  'unreachable',
] as const
export type Problem = WalletProblem | (typeof PAGE_PROBLEMS)[number]

export type Payment = {
  step: Step
  problem: Problem | null
  /** The words of the wallet or of the server about the problem; may be empty. */
  detail: string
  /** The chain on which the campaign has its account. */
  wantedChain: number
  account: string | null
  chainId: number | null
  /**
   * The intent that the server has recorded for this page. Kept for each further attempt, so that a
   * donor does not promise the same donation twice.
   */
  intent: Intent | null
  /** Whether the donor has not answered a question of the wallet for some time. */
  isSlow: boolean
  /** Counts the presses of the button. Answers to an older press change nothing. */
  attempt: number
}

export type PaymentEvent =
  | { type: 'wallet-chosen' }
  | { type: 'pressed' }
  | { type: 'connected'; attempt: number; account: string; chainId: number }
  | { type: 'switched'; attempt: number }
  | { type: 'account-changed'; account: string | null }
  | { type: 'chain-changed'; chainId: number }
  | { type: 'funds-found'; attempt: number }
  | { type: 'recorded'; attempt: number; intent: Intent }
  | { type: 'sent' }
  | { type: 'signers-asked' }
  | { type: 'failed'; attempt: number; problem: Problem; detail: string }
  | { type: 'waited'; attempt: number }
  | { type: 'answered'; attempt: number }
  | { type: 'cancelled' }

/** The first state. `intent` is an intent that the address of the page names. */
export const startPayment = (wantedChain: number, intent: Intent | null): Payment => ({
  step: 'connect',
  problem: null,
  detail: '',
  wantedChain,
  account: null,
  chainId: null,
  intent,
  isSlow: false,
  attempt: 0,
})

/** The step after a press of the button. */
const AFTER_PRESS: Partial<Record<Step, Step>> = {
  connect: 'connecting',
  switch: 'switching',
  pay: 'checking',
}

/** The step from which a donor tries again, for each step that can fail. */
const BEFORE: Partial<Record<Step, Step>> = {
  connecting: 'connect',
  switching: 'switch',
  checking: 'pay',
  intent: 'pay',
  confirm: 'pay',
}

/** Problems that no further attempt can solve. */
const FINAL_PROBLEMS: readonly (Problem | null)[] = ['blocked', 'closed']

/** Whether the payment has ended, so that the page offers no button. */
export const isOver = ({ step, problem }: Payment): boolean =>
  step === 'sent' || step === 'signers' || FINAL_PROBLEMS.includes(problem)

/** Whether the page waits for an answer, so that the button does nothing. */
export const isWaiting = ({ step }: Payment): boolean => BEFORE[step] !== undefined

/** The next state. Events that do not fit the state change nothing. */
export const nextPayment = (state: Payment, event: PaymentEvent): Payment => {
  // A hash always counts, also after a cancelled attempt, because the money is on its way.
  if (event.type === 'sent') return settle(state, { step: 'sent' })
  if (isOver(state)) return state
  if ('attempt' in event && event.attempt !== state.attempt) {
    // The server has stored the intent, so a later attempt must pay this one.
    return event.type === 'recorded' ? keepIntent(state, event.intent) : state
  }
  switch (event.type) {
    case 'wallet-chosen':
      return stop(state, { step: 'connect', account: null, chainId: null })
    case 'pressed':
      return press(state)
    case 'connected':
      return ready({ ...state, account: event.account, chainId: event.chainId })
    case 'switched':
      return ready({ ...state, chainId: state.wantedChain })
    case 'account-changed':
      return changeAccount(state, event.account)
    case 'chain-changed':
      return changeChain(state, event.chainId)
    case 'funds-found':
      return settle(state, { step: state.intent ? 'confirm' : 'intent' })
    case 'recorded':
      return settle(state, { step: 'confirm', intent: event.intent })
    case 'signers-asked':
      return settle(state, { step: 'signers' })
    case 'failed':
      return fail(state, event.problem, event.detail)
    case 'waited':
      return { ...state, isSlow: true }
    case 'answered':
      return { ...state, isSlow: false }
    case 'cancelled':
      return cancel(state)
  }
}

const settle = (state: Payment, change: Partial<Payment>): Payment => ({
  ...state,
  ...{ problem: null, detail: '', isSlow: false },
  ...change,
})

/** Changes the state so that answers to requests that are still open change nothing. */
const stop = (state: Payment, change: Partial<Payment>): Payment =>
  settle(state, { attempt: state.attempt + 1, ...change })

/** A wallet that was asked to pay may still do so, and a second payment would count too. */
const cancel = (state: Payment): Payment =>
  stop(state, {
    step: BEFORE[state.step] ?? state.step,
    problem: state.step === 'confirm' ? 'perhaps-paid' : null,
  })

const press = (state: Payment): Payment => {
  const step = AFTER_PRESS[state.step]
  return step && state.problem !== 'wrong-account' ? stop(state, { step }) : state
}

/** The step of a connected wallet, by its account and chain. */
const ready = (state: Payment): Payment => {
  const { account, intent, chainId, wantedChain } = state
  if (account === null) return settle(state, { step: 'connect' })
  const isOther = intent !== null && intent.wallet.toLowerCase() !== account.toLowerCase()
  return settle(state, {
    step: chainId === wantedChain ? 'pay' : 'switch',
    problem: isOther ? 'wrong-account' : null,
  })
}

const keepIntent = (state: Payment, intent: Intent): Payment =>
  isWaiting(state) ? { ...state, intent } : ready({ ...state, intent })

const changeAccount = (state: Payment, account: string | null): Payment => {
  if (state.account === null || state.account === account) return state
  return ready({ ...state, account, attempt: state.attempt + 1 })
}

/** A switch that the page has asked for is not finished before the wallet says so. */
const changeChain = (state: Payment, chainId: number): Payment => {
  if (state.account === null || state.chainId === chainId) return state
  if (state.step === 'switching') return { ...state, chainId }
  return ready({ ...state, chainId, attempt: state.attempt + 1 })
}

const fail = (state: Payment, problem: Problem, detail: string): Payment =>
  settle(state, { step: BEFORE[state.step] ?? state.step, problem, detail })
