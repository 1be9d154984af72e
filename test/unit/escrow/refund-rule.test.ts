import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Donated,
  type Failure,
  type Payment,
  plainPayments,
  refundLeaves,
} from '../../../src/domain/escrow/refund/index.ts'
import { NATIVE_ASSET } from '../../../src/kernel/escrow-event.ts'

const USDC = `0x${'aa'.repeat(20)}`
const OTHER = `0x${'bb'.repeat(20)}`
const wallet = (name: number) => `0x${String(name).padStart(40, '0')}`
const at = (blockNumber: number, log = 0, txHash = `tx${blockNumber}`) => ({
  ...{ blockNumber, log, txHash },
  blockHash: `block${blockNumber}`,
  transaction: 0,
})
const pay = (sender: string, amount: bigint, place = at(1), asset = USDC): Payment => ({
  ...{ sender, amount, asset },
  ...place,
})
const donated = (payer: string, amount: bigint, place = at(1, 1)): Donated => ({
  payer,
  amount,
  ...place,
})
const own = (payments: readonly Payment[]) =>
  payments.map((payment) => ({ ...payment, account: payment.sender }))
const FAILED: Failure = { ...at(10), pool: 60n, total: 100n }
const leavesOf = (payments: readonly Payment[], failure: Failure | null = FAILED) =>
  refundLeaves(own(payments), { asset: USDC, failure })

describe('a payment that the contract recorded', () => {
  test('is not plain, so a donor by both roads is counted once', () => {
    const recorded = pay(wallet(1), 70n, at(1, 0))
    const plain = pay(wallet(1), 30n, at(2, 0))
    expect(plainPayments([recorded, plain], [donated(wallet(1), 70n)], USDC)).toEqual([plain])
  })

  test('is the nearest payment of its payer before the event, and not one in another asset', () => {
    const first = pay(wallet(1), 70n, at(1, 0))
    const between = pay(wallet(2), 70n, at(1, 1))
    const near = pay(wallet(1), 70n, at(1, 2))
    const other = pay(wallet(1), 70n, at(1, 3), OTHER)
    const later = pay(wallet(1), 70n, at(1, 5))
    const all = [first, between, near, other, later]
    expect(plainPayments(all, [donated(wallet(1), 70n, at(1, 4))], USDC)).toEqual([
      first,
      between,
      other,
      later,
    ])
  })

  test('leaves the rest plain if it is larger than the event', () => {
    const large = pay(wallet(1), 70n, at(1, 0))
    expect(plainPayments([large], [donated(wallet(1), 50n)], USDC)).toEqual([
      { ...large, amount: 20n },
    ])
  })

  test('of two donations in one transaction, each takes its own', () => {
    const all = [pay(wallet(1), 1n, at(1, 0)), pay(wallet(1), 2n, at(1, 2))]
    const events = [donated(wallet(1), 2n, at(1, 3)), donated(wallet(1), 1n, at(1, 1))]
    expect(plainPayments(all, events, USDC)).toEqual([])
  })
})

describe('the leaves', () => {
  test('give a share of payments before the failure, and all of later ones', () => {
    expect(leavesOf([pay(wallet(1), 33n), pay(wallet(1), 5n, at(11))])).toEqual([
      // 33 × 60 ÷ 100 = 19.8
      { asset: USDC, donor: wallet(1), amount: '24' },
    ])
  })

  test('order payments by log in the transaction of the failure', () => {
    const before = pay(wallet(1), 10n, at(10, -1))
    const after = pay(wallet(2), 10n, at(10, 1))
    expect(leavesOf([before, after]).map(({ amount }) => amount)).toEqual(['6', '10'])
  })

  test('order payments by transaction in the block of the failure', () => {
    const before = { ...pay(wallet(1), 10n, at(10, 5, 'a')), transaction: -1 }
    const after = { ...pay(wallet(2), 10n, at(10, 0, 'b')), transaction: 1 }
    expect(leavesOf([before, after]).map(({ amount }) => amount)).toEqual(['6', '10'])
  })

  test('return other assets in full, and the terms asset only after a failure', () => {
    const all = [
      pay(wallet(1), 7n),
      pay(wallet(1), 8n, at(1, 1), OTHER),
      pay(wallet(1), 9n, at(1, -1), NATIVE_ASSET),
    ]
    expect(leavesOf(all, null)).toEqual([
      { asset: NATIVE_ASSET, donor: wallet(1), amount: '9', transactions: ['tx1'] },
      { asset: OTHER, donor: wallet(1), amount: '8' },
    ])
  })

  test('name the transactions in which a contract paid for the donor', () => {
    const payments = [{ ...pay(wallet(9), 50n), account: wallet(1) }]
    expect(refundLeaves(payments, { asset: USDC, failure: FAILED })).toEqual([
      { asset: USDC, donor: wallet(1), amount: '30', transactions: ['tx1'] },
    ])
  })

  test('are sorted, leave out shares of 0, and do not depend on the order of payments', () => {
    const all = [pay(wallet(2), 5n), pay(wallet(1), 5n, at(2)), pay(wallet(3), 1n, at(3))]
    const leaves = leavesOf(all)
    expect(leaves.map(({ donor }) => donor)).toEqual([wallet(1), wallet(2)])
    expect(leavesOf(all.toReversed())).toEqual(leaves)
  })

  test('never sum to more than the pool, and only grow with later blocks', () => {
    const payment = fc.record({ by: fc.integer({ min: 1, max: 5 }), amount: fc.bigInt(1n, 1000n) })
    fc.assert(
      fc.property(fc.array(payment, { minLength: 1 }), fc.nat(), (paid, released) => {
        const payments = paid.map(({ by, amount }, index) => pay(wallet(by), amount, at(1, index)))
        const total = payments.reduce((sum, { amount }) => sum + amount, 0n)
        const pool = total - (BigInt(released) % (total + 1n))
        const failure = { ...at(10), pool, total }
        const sum = (leaves: { amount: string }[]) =>
          leaves.reduce((all, { amount }) => all + BigInt(amount), 0n)
        const leaves = leavesOf(payments, failure)
        expect(sum(leaves)).toBeLessThanOrEqual(pool)
        expect(pool - sum(leaves)).toBeLessThanOrEqual(5n)
        const later = leavesOf([...payments, pay(wallet(1), 9n, at(11))], failure)
        for (const { donor, amount } of leaves) {
          const now = later.find((leaf) => leaf.donor === donor)?.amount ?? '0'
          expect(BigInt(now)).toBeGreaterThanOrEqual(BigInt(amount))
        }
      }),
    )
  })
})
