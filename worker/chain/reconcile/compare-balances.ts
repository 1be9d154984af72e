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
  /** The holdings that were compared over the whole window, by `balanceKey`. */
  balanced: Set<string>
  /** Payments by calls within transactions that the traces of a block have shown: to be recorded. */
  internal: ObservedTransfer[]
}

export type BalanceInput = {
  client: ChainClient
  log: Log
  window: ScannedWindow
  /** The state before the first block of the window (or after it, where there is none), and after its last. */
  before: { header: Header; balances: Balances }
  after: Balances
  holdings: readonly Holding[]
  /** Every movement of the window that is known. */
  flows: readonly Flow[]
  watched: WatchedCampaigns
}

/** Blocks of one window that are looked into for one holding; the rest stays one difference. */
const MAX_BLOCKS = 32

/**
 * Compares the change of each balance over a window with what is known to have gone in and out. A
 * change that does not add up is narrowed down to its first block by halving, is explained there by
 * the traces of the block's transactions where a node has them, or becomes a difference; the blocks
 * after it are compared on from what the chain says.
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
    await compareOne(input, comparison, holding, { from, to, flows: flowsOf.get(key) ?? [] })
  }
  return comparison
}

type Change = { from: bigint; to: bigint; flows: readonly Flow[] }

const compareOne = async (
  input: BalanceInput,
  comparison: BalanceComparison,
  holding: Holding,
  change: Change,
): Promise<void> => {
  const { window } = input
  let at = { index: input.before.header.number - window.from, balance: change.from }
  for (let looked = 0; ; looked++) {
    const known = (index: number) =>
      at.balance + sumOf(change.flows, numberAt(window, at.index), numberAt(window, index))
    const end = window.headers.length - 1
    if (known(end) === change.to) return
    const first =
      looked < MAX_BLOCKS
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
    // What is stored as paid by calls, and what the traces do not show, explains nothing.
    if (explained && paidBy(explained) >= inBlock) comparison.internal.push(...explained)
    else if (!isPayoutOfContract(input, holding, expected, first.balance)) {
      comparison.differences.push(
        toDifference(input, holding, header, expected, first, change.flows),
      )
    }
    at = first
  }
}

/** The state after the window's `index`-th block, from 0; -1 is the state before its first. */
const numberAt = (window: ScannedWindow, index: number): number => window.from + index

const sumOf = (flows: readonly Flow[], after: number, upTo: number): bigint =>
  flows.reduce(
    (sum, flow) => (after < flow.blockNumber && flow.blockNumber <= upTo ? sum + flow.amount : sum),
    0n,
  )

const paidBy = (transfers: readonly ObservedTransfer[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n)

type Point = { index: number; balance: bigint; exact: boolean }

/** Halves the blocks after `low` until one is left: 2 + log2 n reads. Not exact where a state is gone. */
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
 * A contract's code pays out without a trace in any receipt. Without a node that has traces such a
 * payout can only be bounded: the account holds no more than what is known to have come in.
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
    ? `The balance changed in block ${header.number} by what no known transfer explains.`
    : `The balance changed in blocks ${window.from} to ${header.number} by what no known transfer explains; no node has the states between them.`
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
    note: unproven ? `${where} A fee in it is only the node's word.` : where,
  }
}
