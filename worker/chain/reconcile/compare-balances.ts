import {
  type ChainClient,
  ChainError,
  type ChainErrorCode,
  findInternalPayments,
  type Hash,
  type Header,
  sumOf,
  tracedOutflow,
  tracesOf,
} from '../../../src/chain/index.ts'
import type { Context } from '../../../src/db/context.ts'
import {
  balanceDifference,
  balanceKey,
  campaignAt,
  type FoundDifference,
  listClaimedHashes,
  type ObservedTransfer,
  type WatchedCampaigns,
} from '../../../src/domain/blocks/index.ts'
import { findDeviation, sumBetween } from '../find-deviation.ts'
import { toObservedTransfer } from '../scan.ts'
import { type Balances, type Holding, readBalances } from './read-balances.ts'
import type { ScannedWindow } from './read-windows.ts'
import type { Flow } from './scan-batch.ts'

type BalanceComparison = {
  differences: FoundDifference[]
  /** The `balanceKey` (account and asset) of each balance that was compared. */
  balanced: Set<string>
  /** Payments by contract calls that are not stored yet. The caller must record them. */
  internal: ObservedTransfer[]
}

type BalanceInput = {
  ctx: Context
  client: ChainClient
  window: ScannedWindow
  /** The state before the window's first block. For block 1, this is the state after block 1. */
  before: { header: Header; balances: Balances }
  after: Balances
  holdings: readonly Holding[]
  /** All known payments to and from accounts in the window. */
  flows: readonly Flow[]
  watched: WatchedCampaigns
}

/** The most blocks that are examined per balance. All further changes become one difference. */
const MAX_BLOCKS = 32

/**
 * Compares the change of each balance with the known payments. Bisection finds the first block with
 * an unexplained change. Payments by contract calls in this block go to `internal`, and the rest
 * goes to `differences`. Then continues with the blocks after this block.
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
  { from, to, flows }: Change,
): Promise<void> => {
  const { window, before } = input
  const last = { blockNumber: window.to, balance: to }
  let known = { blockNumber: before.header.number, balance: from }
  const expectedAt = (block: number) => known.balance + sumBetween(flows, known.blockNumber, block)
  for (let examined = 0; expectedAt(last.blockNumber) !== to; examined++) {
    const { after, at } =
      examined < MAX_BLOCKS
        ? await findDeviation(known.blockNumber, last, expectedAt, async (block) =>
            block === known.blockNumber ? known : readPoint(input, holding, block),
          )
        : { after: known.blockNumber, at: last }
    const { blockNumber, balance: actual } = at
    const header = window.headers[blockNumber - window.from] ?? window.last
    const calls = flows.filter((flow) => flow.byCalls)
    const byCalls = sumBetween(calls, blockNumber - 1, blockNumber)
    const change = actual - expectedAt(blockNumber) + byCalls
    const isOneBlock = blockNumber - after === 1
    const found = isOneBlock ? await findCalls(input, holding, header, change) : null
    // If the found payments are less than the stored payments by calls, they explain nothing new.
    const isMore = found !== null && found.paid >= byCalls
    if (isMore) comparison.internal.push(...found.transfers)
    const expected = expectedAt(blockNumber) + (isMore ? found.net - byCalls : 0n)
    if (expected !== actual && !isPayoutOfContract(input, holding, expected, actual)) {
      const difference = toDifference(input, holding, header, after + 1, { expected, actual })
      const isUnproven = flows.some((flow) => !flow.proven && flow.blockNumber === blockNumber)
      const note = `${difference.note} It includes a fee that the block does not prove.`
      comparison.differences.push(isUnproven ? { ...difference, note } : difference)
    }
    known = at
  }
}

const readPoint = async ({ client, window }: BalanceInput, holding: Holding, block: number) => {
  const header = window.headers[block - window.from]
  const balances = header && (await readBalances(client, header, [holding]))
  const balance = balances?.amounts.get(balanceKey(holding.account, holding.asset.id))
  return balance === undefined ? null : { blockNumber: block, balance }
}

/**
 * Finds payments that contract calls made to an account in a block. These payments may explain a
 * change of the balance that the known transfers do not explain.
 *
 * @param change the unexplained change of the balance, in wei
 * @returns `transfers`, the found payments; `paid`, their sum; `net`, the explained part of
 *   `change`. Null if the asset is a token or the block has no transactions
 */
const findCalls = async (
  { ctx, client }: BalanceInput,
  { account, asset }: Holding,
  header: Header,
  change: bigint,
): Promise<{ transfers: ObservedTransfer[]; paid: bigint; net: bigint } | null> => {
  const block = asset.kind === 'native' ? await client.blockByHash(header.hash) : null
  if (!block || block.transactions.length === 0) return null
  const hashes = block.transactions.map(({ hash }) => hash)
  const claims = await listClaimedHashes(ctx, client.chainId, hashes)
  const claimed = new Set<Hash>(hashes.filter((hash) => claims.get(hash)?.has(account)))
  const found = await findInternalPayments(client, {
    block,
    receipts: (await client.receipts([block])).get(block.hash) ?? [],
    watched: new Set([account]),
    leads: new Map([[account, claimed]]),
    everywhere: true,
    log: ctx.log,
  })
  const paidIn = sumOf(found)
  const paid = sumOf({ ...found, returned: [] })
  const traces = paidIn === change ? null : await allTraces(client, hashes)
  const isAll = traces !== null && paidIn - tracedOutflow(traces, account) === change
  const assets = new Map([[null, asset]])
  return {
    transfers: found.transfers.flatMap((transfer) =>
      toObservedTransfer(block, transfer, transfer.source, assets),
    ),
    paid,
    net: paidIn === change || isAll ? change : paid,
  }
}

const EXPLAINS_NOTHING: ReadonlySet<ChainErrorCode> = new Set([
  'rpc_error',
  'no_agreement',
  'bad_response',
])

/** Reads traces. Null if nodes have no traces or disagree. Throws ChainError if no node answers. */
const allTraces = (client: ChainClient, hashes: readonly Hash[]): ReturnType<typeof tracesOf> =>
  tracesOf(client, hashes, { agreed: false }).catch((error: unknown) => {
    if (error instanceof ChainError && EXPLAINS_NOTHING.has(error.code)) return null
    throw error
  })

/**
 * Whether the account is a contract that may have paid out the missing amount. Receipts do not show
 * native payments by a contract, so any smaller balance counts as a payout.
 */
const isPayoutOfContract = (
  { after }: BalanceInput,
  { account, asset }: Holding,
  expected: bigint,
  actual: bigint,
): boolean => asset.kind === 'native' && after.contracts.has(account) && actual < expected

const toDifference = (
  { watched }: BalanceInput,
  { account, asset }: Holding,
  { number: blockNumber, hash: blockHash, timestamp }: Header,
  firstBlock: number,
  amounts: { expected: bigint; actual: bigint },
): FoundDifference => {
  const campaignId = campaignAt(watched, account, {
    minedAt: new Date(timestamp * 1_000),
    blockNumber,
  })
  const position = { campaignId, account, assetId: asset.id, blockNumber, blockHash, firstBlock }
  return balanceDifference({ ...position, ...amounts })
}
