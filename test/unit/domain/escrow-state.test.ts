import { describe, expect, test } from 'vitest'
import { rootInForce, stateOf } from '../../../src/domain/escrow/escrow-state.ts'
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
const proposed = (index: number, readyAt: number): EscrowEvent => ({
  kind: 'RootProposed',
  fields: { index, root: `root ${index}`, dataHash: HASH, readyAt },
})

/** The state after events, each of them in the second with its position. */
const stateAfter = (...events: EscrowEvent[]) =>
  stateOf(
    events.map((event, second) => ({ ...event, minedAt: new Date(second * 1_000) })),
    validTerms,
  )

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

  test('is failed with its pool, and counts refunds of its own asset', () => {
    const refunded = (token: string): EscrowEvent => ({
      kind: 'Refunded',
      fields: { donor: OTHER, asset: token, amount: '7', recorded: true },
    })
    expect(
      stateAfter(activated, released(0, '30'), failed, refunded(asset), refunded(OTHER)),
    ).toMatchObject({
      state: 'failed',
      reason: 'expired',
      pool: 70n,
      total: 100n,
      released: 30n,
      refunded: 7n,
    })
  })

  test('keeps a root that is ready in force until the next root is ready', () => {
    const state = stateAfter(failed, proposed(0, 2), activated, proposed(1, 9))
    expect(state.rootIndex).toBe(2)
    expect(rootInForce(state, 8)).toMatchObject({ index: 0 })
    expect(rootInForce(state, 9)).toMatchObject({ index: 1 })
  })

  test('replaces a root that is not ready, and drops a root that a verifier vetoed', () => {
    const replaced = stateAfter(failed, proposed(0, 99), proposed(1, 99))
    expect(rootInForce(replaced, 98)).toBeNull()
    expect(replaced.newestRoot).toMatchObject({ index: 1 })
    const vetoed = stateAfter(failed, proposed(0, 99), {
      kind: 'RootVetoed',
      fields: { index: 0, root: 'root 0', verifier },
    })
    expect(vetoed).toMatchObject({ rootIndex: 1, newestRoot: null, earlierRoot: null })
  })
})
