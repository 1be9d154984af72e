import { describe, expect, test } from 'vitest'
import {
  isOver,
  isWaiting,
  nextPayment,
  type Payment,
  type PaymentEvent,
  startPayment,
} from '../../../../src/pages/shared/payment-machine.ts'
import { INTENT } from '../support/made-intent.ts'

const CHAIN = 8453
const ACCOUNT = INTENT.wallet
const OTHER = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'

/** An event, or a function that makes an event for the current attempt of the state. */
type Played = PaymentEvent | ((attempt: number) => PaymentEvent)
const play = (events: readonly Played[], start = startPayment(CHAIN, null)): Payment =>
  events.reduce<Payment>(
    (state, event) =>
      nextPayment(state, typeof event === 'function' ? event(state.attempt) : event),
    start,
  )

const pressed: Played = { type: 'pressed' }
const connected =
  (chainId = CHAIN, account = ACCOUNT): Played =>
  (attempt) => ({ type: 'connected', attempt, account, chainId })
const switched: Played = (attempt) => ({ type: 'switched', attempt })
const funds: Played = (attempt) => ({ type: 'funds-found', attempt })
const recorded: Played = (attempt) => ({ type: 'recorded', attempt, intent: INTENT })
const failed =
  (problem: Payment['problem'] & string, detail = ''): Played =>
  (attempt) => ({ type: 'failed', attempt, problem, detail })
const waited: Played = (attempt) => ({ type: 'waited', attempt })
const answered: Played = (attempt) => ({ type: 'answered', attempt })

const ASKING = [pressed, connected(), pressed, funds, recorded]

describe('a payment by a wallet', () => {
  test('goes from the wallet to the hash, and needs one press for each question', () => {
    const steps = [pressed, connected(1), pressed, switched, pressed, funds, recorded].map(
      (_, index, all) => play(all.slice(0, index + 1)).step,
    )
    expect(steps).toEqual([
      'connecting',
      'switch',
      'switching',
      'pay',
      'checking',
      'intent',
      'confirm',
    ])
    const sent = play([...ASKING, { type: 'sent' }])
    expect([sent.step, isOver(sent)]).toEqual(['sent', true])
  })

  test('keeps its intent after a rejection, and does not record a second one', () => {
    const rejected = play([...ASKING, failed('rejected')])
    expect(rejected).toMatchObject({ step: 'pay', problem: 'rejected', intent: INTENT })
    const again = play([pressed, funds], rejected)
    expect(again).toMatchObject({ step: 'confirm', problem: null, intent: INTENT })
  })

  test('tries again from the step that failed', () => {
    expect(play([pressed, failed('busy')])).toMatchObject({ step: 'connect', problem: 'busy' })
    expect(play([pressed, connected(1), pressed, failed('unknown-chain')])).toMatchObject({
      step: 'switch',
      problem: 'unknown-chain',
    })
    expect(play([pressed, connected(), pressed, failed('no-funds')])).toMatchObject({
      step: 'pay',
      problem: 'no-funds',
    })
  })

  test('counts a hash that comes after the donor cancelled on the page', () => {
    const cancelled = play([...ASKING, { type: 'cancelled' }])
    expect(cancelled.step).toBe('pay')
    expect(play([{ type: 'sent' }], cancelled).step).toBe('sent')
  })

  test('warns after a stop that the wallet may still pay, only if it was asked to', () => {
    const cancelled = play([...ASKING, { type: 'cancelled' }])
    expect(cancelled.problem).toBe('perhaps-paid')
    expect(play([pressed], cancelled)).toMatchObject({ step: 'checking', problem: null })
    expect(play([pressed, { type: 'cancelled' }]).problem).toBeNull()
  })

  test('ignores answers to an attempt that the donor cancelled', () => {
    const asking = play([pressed])
    const state = play([
      pressed,
      { type: 'cancelled' },
      { type: 'connected', attempt: asking.attempt, account: ACCOUNT, chainId: CHAIN },
    ])
    expect(state).toMatchObject({ step: 'connect', account: null })
  })

  test('says that the wallet is slow only while the wallet has a request open', () => {
    expect(play([pressed, waited]).isSlow).toBe(true)
    expect(play([...ASKING, waited]).isSlow).toBe(true)
    expect(play([...ASKING, waited, answered]).isSlow).toBe(false)
    expect(play([...ASKING, waited, failed('rejected')]).isSlow).toBe(false)
  })

  test('goes back when the wallet leaves the chain before the payment', () => {
    const left = play([...ASKING, { type: 'chain-changed', chainId: 1 }])
    expect(left).toMatchObject({ step: 'switch', chainId: 1 })
    const late = {
      type: 'failed',
      attempt: left.attempt - 1,
      problem: 'failed',
      detail: '',
    } as const
    expect(play([late], left)).toEqual(left)
    expect(play([{ type: 'chain-changed', chainId: CHAIN }], left).step).toBe('pay')
  })

  test('waits for the answer of a switch, even if the chain has already changed', () => {
    const changed = play([
      pressed,
      connected(1),
      pressed,
      { type: 'chain-changed', chainId: CHAIN },
    ])
    expect(changed.step).toBe('switching')
    expect(play([switched], changed).step).toBe('pay')
  })

  test('refuses to pay from another account than the one in the intent', () => {
    const other = play([...ASKING, { type: 'account-changed', account: OTHER }])
    expect(other).toMatchObject({ step: 'pay', problem: 'wrong-account' })
    expect(play([pressed], other)).toEqual(other)
    const back = play([{ type: 'account-changed', account: ACCOUNT.toLowerCase() }], other)
    expect(back).toMatchObject({ step: 'pay', problem: null })
  })

  test('keeps an intent that is recorded after the wallet has left the chain or the account', () => {
    const asking = play([pressed, connected(), pressed, funds])
    expect(asking.step).toBe('intent')
    const stored = { type: 'recorded', attempt: asking.attempt, intent: INTENT } as const
    const elsewhere = play([{ type: 'chain-changed', chainId: 1 }, stored], asking)
    expect(elsewhere).toMatchObject({ step: 'switch', intent: INTENT })
    const other = play([{ type: 'account-changed', account: OTHER }, stored], asking)
    expect(other).toMatchObject({ step: 'pay', problem: 'wrong-account', intent: INTENT })
  })

  test('continues an intent that the address of the page names', () => {
    const state = play([pressed, connected(), pressed, funds], startPayment(CHAIN, INTENT))
    expect(state).toMatchObject({ step: 'confirm', intent: INTENT })
  })

  test('asks to connect again when the wallet locks itself', () => {
    const locked = play([pressed, connected(), { type: 'account-changed', account: null }])
    expect(locked).toMatchObject({ step: 'connect', account: null })
  })

  test.each(['blocked', 'closed'] as const)('ends for good when it is %s', (problem) => {
    const ended = play([pressed, connected(), pressed, funds, failed(problem)])
    expect(isOver(ended)).toBe(true)
    expect(play([pressed], ended)).toEqual(ended)
  })

  test('does not press twice while it waits', () => {
    const asking = play([pressed])
    expect(isWaiting(asking)).toBe(true)
    expect(play([pressed], asking)).toEqual(asking)
  })

  test('waits for the other signers of a contract wallet without a hash', () => {
    const state = play([...ASKING, { type: 'signers-asked' }])
    expect([state.step, isOver(state)]).toEqual(['signers', true])
  })
})
