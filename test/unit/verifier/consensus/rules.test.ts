import { describe, expect, test } from 'vitest'
import { makeBootstrap, makeCommittee, makeUpdate } from '../../../../src/local/beacon/messages.ts'
import {
  follow,
  type Network,
  readUpdate,
  startAt,
  UnknownFork,
} from '../../../../src/verifier/consensus/index.ts'
import { changeByte, PERIOD_SLOTS, TEST_NETWORK } from '../../../support/beacon/test-beacon.ts'

const BLOCK = { number: 100, hash: `0x${'ab'.repeat(32)}`, stateRoot: `0x${'cd'.repeat(32)}` }
const [FIRST, SECOND, THIRD] = [makeCommittee(1), makeCommittee(2), makeCommittee(3)]
const SLOTS = { signature: 12, attested: 11, finalized: 8 }
const NOW = 1_000

const begin = () => {
  const { bootstrap, checkpoint } = makeBootstrap(4, FIRST, { ...BLOCK, number: 90 })
  return startAt(TEST_NETWORK, bootstrap, checkpoint)
}

const update = (changes: Partial<Parameters<typeof makeUpdate>[0]> = {}) =>
  makeUpdate({
    network: TEST_NETWORK,
    signers: FIRST,
    current: FIRST,
    next: SECOND,
    slots: SLOTS,
    block: BLOCK,
    ...changes,
  })

const apply = (made = update(), { network = TEST_NETWORK, now = NOW } = {}) =>
  follow(network, begin(), readUpdate(made, 'The update'), now)

test('a block is final when its committee has signed it', () => {
  expect(begin().final?.number).toBe(90)
  expect(apply().final).toMatchObject({ number: 100, hash: BLOCK.hash })
})

test('two thirds of the committee are enough, and one member fewer is not', () => {
  expect(apply(update({ present: 342 })).final?.number).toBe(100)
  expect(() => apply(update({ present: 341 }))).toThrow('Only 341 of 512 validators')
})

test('a checkpoint of another block or chain is refused', () => {
  const { bootstrap } = makeBootstrap(4, FIRST, BLOCK)
  const other = makeBootstrap(5, FIRST, BLOCK).checkpoint
  expect(() => startAt(TEST_NETWORK, bootstrap, other)).toThrow('another checkpoint')
})

test('a committee that is not in the state of the checkpoint is refused', () => {
  const { bootstrap, checkpoint } = makeBootstrap(4, FIRST, BLOCK)
  const forged = { ...bootstrap, current_sync_committee: SECOND.committee }
  expect(() => startAt(TEST_NETWORK, forged, checkpoint)).toThrow('The committee does not belong')
})

describe('an update is refused', () => {
  test('if another committee has signed it', () => {
    expect(() => apply(update({ signers: SECOND }))).toThrow(
      'signature of the committee is invalid',
    )
  })

  test('if it was signed for another network', () => {
    const network = { ...TEST_NETWORK, genesisRoot: `0x${'18'.repeat(32)}` }
    expect(() => apply(update({ network }))).toThrow('signature of the committee is invalid')
  })

  test.each([
    ['signed before it was attested', { signature: 11, attested: 11, finalized: 8 }],
    ['final after it was attested', { signature: 12, attested: 10, finalized: 11 }],
  ])('if it is %s', (_what, slots) => {
    expect(() => apply(update({ slots }))).toThrow('not in their order')
  })

  test('if it is from the future', () => {
    expect(() => apply(update(), { now: 11 })).toThrow('in the future')
  })

  test('if the final block is another one', () => {
    const made = update()
    const { execution } = made.finalized_header
    if (execution) execution.block_hash = changeByte(execution.block_hash, 3)
    expect(() => apply(made)).toThrow('does not belong to its beacon block')
  })

  test('if the final header is another one', () => {
    const made = update()
    made.finalized_header.beacon.proposer_index = '2'
    expect(() => apply(made)).toThrow('The final header does not belong')
  })

  test('if the next committee is another one', () => {
    const made = { ...update(), next_sync_committee: THIRD.committee }
    expect(() => apply(made)).toThrow('The next committee does not belong')
  })

  test('if a key of an absent member is the point at infinity', () => {
    const store = begin()
    const pubkeys = [...store.committee.pubkeys]
    pubkeys[511] = `0xc0${'00'.repeat(47)}`
    const committee = { ...store.committee, pubkeys }
    const made = readUpdate(update({ present: 500 }), 'The update')
    expect(() => follow(TEST_NETWORK, { ...store, committee }, made, NOW)).toThrow()
  })

  test('if its signature is the point at infinity', () => {
    const made = update()
    made.sync_aggregate.sync_committee_signature = `0xc0${'00'.repeat(95)}`
    expect(() => apply(made)).toThrow('signature of the committee is invalid')
  })
})

describe('the next period', () => {
  const later = {
    ...{ signers: SECOND, current: SECOND, next: THIRD, block: { ...BLOCK, number: 116 } },
    slots: {
      signature: 12 + PERIOD_SLOTS,
      attested: 11 + PERIOD_SLOTS,
      finalized: 8 + PERIOD_SLOTS,
    },
  }

  test('is followed with the committee that the period before has proven', () => {
    const after = follow(TEST_NETWORK, apply(), readUpdate(update(later), 'It'), NOW)
    expect([after.period, after.final?.number]).toEqual([1, 116])
  })

  test('needs the update of the period before', () => {
    expect(() => apply(update(later))).toThrow('needs the one of the period before')
  })

  test('does not begin with an older update again', () => {
    const after = follow(TEST_NETWORK, apply(), readUpdate(update(later), 'It'), NOW)
    expect(() => follow(TEST_NETWORK, after, readUpdate(update(), 'It'), NOW)).toThrow('needs')
  })
})

test('a slot before the first known fork is not proven, and named', () => {
  const network: Network = { ...TEST_NETWORK, forks: { fulu: { epoch: 9, version: '0x06000000' } } }
  expect(() => apply(update(), { network })).toThrow(UnknownFork)
})
