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
    expect(stateAfter()).toMatchObject({
      state: 'funding',
      rounds: [0, 0],
      released: 0n,
      reason: null,
    })
    expect(stateAfter(activated)).toMatchObject({ state: 'active' })
    expect(stateAfter(activated, released(1, '70'))).toMatchObject({
      state: 'active',
      releasedMilestones: [1],
      released: 70n,
    })
    expect(stateAfter(activated, released(1, '70'), released(0, '30'))).toMatchObject({
      state: 'done',
      releasedMilestones: [0, 1],
      released: 100n,
    })
  })

  test('counts the rejections of each milestone', () => {
    const rejected = (milestone: number, round: number): EscrowEvent => ({
      kind: 'MilestoneRejected',
      fields: { milestone, round, verifier, evidenceHash: HASH },
    })
    expect(stateAfter(rejected(1, 0), rejected(0, 0), rejected(1, 1)).rounds).toEqual([1, 2])
  })

  test('is failed with its pool, and counts refunds and returns of its own asset', () => {
    const refunded: EscrowEvent = {
      kind: 'Refunded',
      fields: { donor: OTHER, asset, amount: '7' },
    }
    const returned = (token: string): EscrowEvent => ({
      kind: 'TransferReturned',
      fields: { receiver: OTHER, asset: token, amount: '5', transaction: HASH, position: 0 },
    })
    expect(
      stateAfter(activated, released(0, '30'), failed, refunded, returned(asset), returned(OTHER)),
    ).toMatchObject({
      state: 'failed',
      reason: 'expired',
      pool: 70n,
      total: 100n,
      released: 30n,
      refunded: 12n,
    })
  })

  test('stays done while assets of no donation go back, and fails when the surplus does', () => {
    const done = [activated, released(1, '70'), released(0, '30')]
    const returned: EscrowEvent = {
      kind: 'TransferReturned',
      fields: { receiver: OTHER, asset: OTHER, amount: '5', transaction: HASH, position: null },
    }
    expect(stateAfter(...done, returned)).toMatchObject({ state: 'done', refunded: 0n })
    expect(stateAfter(...done, failed)).toMatchObject({ state: 'failed', pool: 70n })
  })
})
