import type { ChainClient, Header } from '../../../src/chain/index.ts'
import type { ObservedTransfer } from '../../../src/domain/chain/index.ts'
import {
  balanceKey,
  campaignAt,
  type FoundDifference,
  type WatchedCampaigns,
} from '../../../src/domain/reconciliation/index.ts'
import type { Log } from '../../../src/kernel/log.ts'
import { explainNative } from './explain-native.ts'
import { type Balances, type Holding, readBalances } from './read-balances.ts'
import type { ScannedWindow } from './read-windows.ts'
import type { Flow } from './scan-batch.ts'

export type BalanceComparison = {
  differences: FoundDifference[]
  /** The holdings compared over the whole window, by `balanceKey`. */
  balanced: Set<string>
  /** Payments by calls found in traces, which must be recorded. */
  internal: ObservedTransfer[]
}

export type BalanceInput = {
  client: ChainClient
  log: Log
  window: ScannedWindow
  /** The state before the window's first block, or after it if it is block 1. */
  before: { header: Header; balances: Balances }
  after: Balances
  holdings: readonly Holding[]
  /** All known flows of the window. */
  flows: readonly Flow[]
  watched: WatchedCampaigns
}

/** Unexplained blocks to examine per holding and window; further ones become one difference. */
const MAX_BLOCKS = 32

/**
 * Compares each balance's change over a window with its known flows. An unexplained change is
 * narrowed down to its first block by bisection, and is explained there by traces or becomes a
 * difference. The comparison then continues from the actual balance of that block.
 */
export const compareBalances = async (input: BalanceInput): Promise<BalanceComparison> => {
  const comparison: BalanceComparison = { differences: [], balanced: new Set(), internal: [] }
  const flowsOf = Map.groupBy(input.flows, ({ account, assetId }) => balanceKey(account, assetId))
  for (const holding of input.holdings) {
    const key = balanceKey(holding.account, holding.asset.id)
    const from = input.before.balances.amounts.get(key)
    const to = input.after.amounts.get(key)
    if (from === undefined || to === undefined) continue
    comparison.balanced.add(key)
    await compareHolding(input, comparison, holding, { from, to, flows: flowsOf.get(key) ?? [] })
  }
  return comparison
}

type Change = { from: bigint; to: bigint; flows: readonly Flow[] }

const compareHolding = async (
  input: BalanceInput,
  comparison: BalanceComparison,
  holding: Holding,
  change: Change,
): Promise<void> => {
  const { window } = input
  let at = { index: input.before.header.number - window.from, balance: change.from }
  for (let examined = 0; ; examined++) {
    const known = (index: number) =>
      at.balance + sumOf(change.flows, numberAt(window, at.index), numberAt(window, index))
    const end = window.headers.length - 1
    if (known(end) === change.to) return
    const first =
      examined < MAX_BLOCKS
        ? await firstDiffering(input, holding, at.index, known, change.to)
        : { index: end, balance: change.to, exact: false }
    const header = window.headers[first.index] ?? window.last
    const expected = known(first.index)
    const inBlock = sumOf(
      change.flows.filter((flow) => flow.byCalls),
      header.number - 1,
      header.number,
    )
    const explained = first.exact
      ? await explainNative(input, holding, header, first.balance - expected + inBlock)
      : null
    // If the traces show less than the stored payments by calls, they explain nothing.
    if (explained && totalOf(explained) >= inBlock) comparison.internal.push(...explained)
    else if (!isPayoutOfContract(input, holding, expected, first.balance)) {
      comparison.differences.push(
        toDifference(input, holding, header, expected, first, change.flows),
      )
    }
    at = first
  }
}

/** The number of the window's `index`-th block, from 0; -1 is the block before the window. */
const numberAt = (window: ScannedWindow, index: number): number => window.from + index

const sumOf = (flows: readonly Flow[], after: number, upTo: number): bigint =>
  flows.reduce(
    (sum, flow) => (after < flow.blockNumber && flow.blockNumber <= upTo ? sum + flow.amount : sum),
    0n,
  )

const totalOf = (transfers: readonly ObservedTransfer[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n)

type Point = { index: number; balance: bigint; exact: boolean }

/** Bisects the blocks after `low`: 2 + log2 n reads. Not exact if no node has a state. */
const firstDiffering = async (
  { client, window }: BalanceInput,
  holding: Holding,
  low: number,
  known: (index: number) => bigint,
  last: bigint,
): Promise<Point> => {
  const key = balanceKey(holding.account, holding.asset.id)
  let equal = low
  let differs: Point = { index: window.headers.length - 1, balance: last, exact: true }
  while (differs.index - equal > 1) {
    const index = (equal + differs.index) >> 1
    const header = window.headers[index]
    const balances = header && (await readBalances(client, header, [holding]))
    const balance = balances?.amounts.get(key)
    if (balance === undefined) return { ...differs, exact: false }
    if (balance === known(index)) equal = index
    else differs = { index, balance, exact: true }
  }
  return differs
}

/**
 * A native payment by a contract's code appears in no receipt. Without traces, any balance of a
 * contract below the expected one counts as such a payout.
 */
const isPayoutOfContract = (
  { after }: BalanceInput,
  { account, asset }: Holding,
  expected: bigint,
  actual: bigint,
): boolean => asset.kind === 'native' && after.contracts.has(account) && actual < expected

const toDifference = (
  { watched, window }: BalanceInput,
  { account, asset }: Holding,
  header: Header,
  expected: bigint,
  { balance, exact }: Point,
  flows: readonly Flow[],
): FoundDifference => {
  const unproven = flows.some((flow) => !flow.proven && flow.blockNumber === header.number)
  const where = exact
    ? `The balance changed in block ${header.number} without a transfer that explains it.`
    : `The balance changed in blocks ${window.from} to ${header.number} without a transfer that explains it; no node has the states between them.`
  return {
    kind: 'balance',
    campaignId: campaignAt(watched, account, {
      minedAt: new Date(header.timestamp * 1_000),
      blockNumber: header.number,
    }),
    account,
    assetId: asset.id,
    blockNumber: header.number,
    firstBlock: exact ? header.number : window.from,
    blockHash: header.hash,
    txHash: null,
    expected,
    actual: balance,
    note: unproven ? `${where} It includes a fee that the block does not prove.` : where,
  }
}
