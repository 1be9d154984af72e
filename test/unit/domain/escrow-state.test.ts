import { describe, expect, test } from 'vitest'
import { stateOf } from '../../../src/domain/campaigns/escrow/escrow-state.ts'
import type { EscrowEvent } from '../../../src/kernel/escrow-event.ts'
import { validTerms } from '../chain/escrow/support.ts'

const HASH = `0x${'cd'.repeat(32)}`
const OTHER = `0x${'ef'.repeat(20)}`
const { asset, recipient } = validTerms
const verifier = validTerms.verifiers[0] ?? ''

const released = (milestone: number, amount: string): EscrowEvent => ({
  kind: 'MilestoneReleased',
  fields: { milestone, recipient, asset, amount, evidenceHash: HASH, signers: [0] },
})
const failed: EscrowEvent = {
  kind: 'Failed',
  fields: { reason: 'expired', pool: '70', total: '100', recorded: '10', reasonHash: HASH },
}
const activated: EscrowEvent = { kind: 'Activated', fields: { balance: '100' } }
const stateAfter = (...events: EscrowEvent[]) => stateOf(events, validTerms)

describe('the state of an escrow', () => {
  test('follows its events from funding to done', () => {
    expect(stateAfter()).toMatchObject({ state: 'funding', rounds: [0, 0], reason: null })
    expect(stateAfter(activated)).toMatchObject({ state: 'active' })
    expect(stateAfter(activated, released(1, '70'))).toMatchObject({
      state: 'active',
      releasedMilestones: [1],
    })
    expect(stateAfter(activated, released(1, '70'), released(0, '30'))).toMatchObject({
      state: 'done',
      releasedMilestones: [0, 1],
    })
  })

  test('counts the rejections of each milestone', () => {
    const rejected = (milestone: number, round: number): EscrowEvent => ({
      kind: 'MilestoneRejected',
      fields: { milestone, round, verifier, evidenceHash: HASH },
    })
    expect(stateAfter(rejected(1, 0), rejected(0, 0), rejected(1, 1)).rounds).toEqual([1, 2])
  })

  test('is failed with its pool, whatever is paid back', () => {
    const refunded: EscrowEvent = {
      kind: 'Refunded',
      fields: { donor: OTHER, asset, amount: '7' },
    }
    expect(stateAfter(activated, released(0, '30'), failed, refunded)).toMatchObject({
      ...{ state: 'failed', reason: 'expired', pool: 70n, total: 100n },
    })
  })

  test('stays done while assets of no donation go back, and fails when the surplus does', () => {
    const done = [activated, released(1, '70'), released(0, '30')]
    const returned: EscrowEvent = {
      kind: 'TransferReturned',
      fields: { receiver: OTHER, asset: OTHER, amount: '5', transaction: HASH, position: null },
    }
    expect(stateAfter(...done, returned)).toMatchObject({ state: 'done' })
    expect(stateAfter(...done, failed)).toMatchObject({ state: 'failed', pool: 70n })
  })
})
