import type { RefundLeaf } from '../../../db/schema/escrow.ts'
import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'

/** The name of this rule. A change of the rule gets a new name. */
export const REFUND_RULE = 'fundproof-refunds-1'

/**
 * A place on the chain. `transaction` is the index in the block, and matters only in the block of
 * the failure. `log` rises within a transaction, and is negative for the native coin.
 */
export type Place = {
  blockNumber: number
  blockHash: string
  transaction: number
  txHash: string
  log: number
}

/** The block in which an escrow ended. */
export type End = Pick<Place, 'blockNumber' | 'blockHash'>

/** A payment to the escrow. Addresses are lower case, `amount` is in base units. */
export type Payment = Place & { asset: string; sender: string; amount: bigint }

/** An event `Donated`. The payment before it belongs to it. */
export type Donated = Place & { payer: string; amount: bigint }

/** A payment by plain transfer, with the account that gets its refund. */
export type PlainPayment = Payment & { account: string }

/** The event `Failed`, with the pool and the total of which donors get their shares. */
export type Failure = Place & { pool: bigint; total: bigint }

/**
 * The block in which an escrow ended for the first time: its last milestone was released, or it
 * failed. Null while it runs.
 */
export const endOf = (
  releases: readonly End[],
  milestones: number,
  failure: End | null,
): End | null =>
  releases.length < milestones
    ? failure
    : (releases.toSorted((a, b) => b.blockNumber - a.blockNumber)[0] ?? null)

/**
 * The payments that the contract has not recorded. Each `Donated` takes the payment of the terms'
 * asset by its payer that is the nearest before it in its transaction. If a payment is larger than
 * the event says, the rest is plain.
 */
export const plainPayments = (
  payments: readonly Payment[],
  donated: readonly Donated[],
  asset: string,
): Payment[] => {
  const left = new Map(payments.map((payment) => [payment, payment.amount]))
  const byTransaction = Map.groupBy(payments, ({ txHash }) => txHash)
  for (const event of donated.toSorted(byPlace)) {
    const taken = (byTransaction.get(event.txHash) ?? [])
      .filter((one) => one.asset === asset && one.sender === event.payer && one.log < event.log)
      .filter((one) => left.get(one) === one.amount)
      .toSorted((a, b) => b.log - a.log)[0]
    if (taken) left.set(taken, taken.amount > event.amount ? taken.amount - event.amount : 0n)
  }
  return payments.flatMap((payment) => {
    const amount = left.get(payment) ?? 0n
    return amount > 0n ? [{ ...payment, amount }] : []
  })
}

/**
 * What each account may claim of each asset in all, sorted by asset and account:
 *
 * - in the terms' asset, paid before the failure: `amount × pool ÷ total`, rounded down
 * - in the terms' asset, paid after the failure: all; without a failure: nothing
 * - in other assets: all
 *
 * The sums are of all payments so far, so a later root only adds.
 */
export const refundLeaves = (
  payments: readonly PlainPayment[],
  { asset, failure }: { asset: string; failure: Failure | null },
): RefundLeaf[] => {
  const groups = Map.groupBy(payments, (one) => `${one.asset} ${one.account}`)
  const leaves = [...groups.values()].flatMap((group): RefundLeaf[] => {
    const [first] = group
    if (!first) return []
    const amount = first.asset === asset ? shareOf(group, failure) : sumOf(group)
    if (amount === 0n) return []
    const named = group.filter(
      ({ sender, account }) => sender !== account || first.asset === NATIVE_ASSET,
    )
    const transactions = named.length > 0 ? { transactions: hashesOf(named) } : {}
    return [
      { asset: first.asset, donor: first.account, amount: amount.toString(), ...transactions },
    ]
  })
  const keyOf = (leaf: RefundLeaf): string => `${leaf.asset} ${leaf.donor}`
  return leaves.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const shareOf = (group: readonly PlainPayment[], failure: Failure | null): bigint => {
  if (!failure) return 0n
  const before = sumOf(group.filter((payment) => byPlace(payment, failure) < 0))
  const after = sumOf(group) - before
  return (failure.total === 0n ? 0n : (before * failure.pool) / failure.total) + after
}

const sumOf = (payments: readonly Payment[]): bigint =>
  payments.reduce((sum, { amount }) => sum + amount, 0n)

const hashesOf = (payments: readonly Payment[]): string[] =>
  [...new Set(payments.map(({ txHash }) => txHash))].sort()

/** The order of the chain. */
const byPlace = (a: Place, b: Place): number =>
  a.blockNumber - b.blockNumber || a.transaction - b.transaction || a.log - b.log
