import {
  type Block,
  type BlockRange,
  type ChainClient,
  ChainError,
  findActiveBlocks,
  type Header,
  isRelevantBlock,
  mayHoldEscrowEvent,
  mayHoldTransfer,
  mayPayOut,
  outflowsIn,
  type WatchList,
} from '../../../src/chain/index.ts'
import type { ChainConfig } from '../../../src/config/config.ts'
import type { Context } from '../../../src/db/context.ts'
import {
  listNativeBlocks,
  type ObservedEscrowEvent,
  type ObservedTransfer,
} from '../../../src/domain/blocks/index.ts'
import { assetsByToken, scanBlocks } from '../scan.ts'

/** An amount of an asset that an account received (above 0) or paid (below 0) in a block. */
export type Flow = {
  account: string
  assetId: string
  blockNumber: number
  amount: bigint
  /** False if the block does not prove the whole amount, for example because of an unproven fee. */
  proven: boolean
  /** Whether a contract call paid the amount. */
  byCalls?: boolean
}

/** Consecutive proven blocks, with the payments of watched accounts and the events of escrows. */
export type ScannedBatch = {
  headers: Header[]
  transfers: ObservedTransfer[]
  escrowEvents: ObservedEscrowEvent[]
  outflows: Flow[]
  /** The blocks that were read in full and may contain payments of watched accounts. */
  relevant: Block[]
}

/**
 * The blocks that are read in full. The other blocks are read only as headers.
 * - `proven`: blocks whose bloom filter or account states allow a payment to a watched account, or
 *   an event of an escrow
 * - `full`: every block
 * - `tokens`: blocks whose bloom filter allows a token payment or an event of an escrow; finds no
 *   native payments
 */
export type ScanDepth = 'proven' | 'full' | 'tokens'

/** The dependencies and options of a comparison. */
export type Reconciler = {
  ctx: Context
  chain: ChainConfig
  client: ChainClient
  /** Reads the watch list for each batch. Returns a new object only if the list has changed. */
  watch(ctx: Context): Promise<WatchList>
  /** Which blocks are read in full. Default: `proven`. */
  depth?: ScanDepth
  /** The number of blocks that are compared and committed together. */
  windowBlocks?: number
  /** Compares only these accounts, and accounts with payments in the window. Default: all. */
  accounts?: ReadonlySet<string>
}

/**
 * Reads blocks `from` to `to`, and all payments of watched accounts and events of escrows in these
 * blocks. With these checks, no node can hide a payment or an event:
 *
 * - the headers match their hashes and link to each other
 * - the bloom filter in a header proves that a block has no event, and no payment in a log
 * - proven account states show that a block has no native payment to a watched account
 * - transactions and receipts of all other blocks match the roots in their headers
 *
 * @throws ChainError `block_missing` if the nodes do not have all these blocks
 */
export const scanBatch = async (
  reconciler: Reconciler,
  from: number,
  to: number,
): Promise<ScannedBatch> => {
  const { ctx, client, depth } = reconciler
  const { assets } = ctx.settings
  const watch = await reconciler.watch(ctx)
  const { headers, blocks } =
    depth === 'full'
      ? await readInFull(reconciler, watch, from, to)
      : await readByHeaders(reconciler, watch, from, to)
  const tokensOnly = depth === 'tokens'
  const receiptsOf = await client.receipts(blocks)
  const known = { ...client, receipts: async () => receiptsOf }
  const observed = await scanBlocks(known, assets, blocks, watch, NO_CLAIMS, ctx.log)
  const assetOf = assetsByToken(assets, client.chainId)
  const isNative = (assetId: string) => assetId === assetOf.get(null)?.id
  return {
    headers,
    relevant: blocks,
    transfers: tokensOnly
      ? observed.transfers.filter(({ assetId }) => !isNative(assetId))
      : observed.transfers,
    escrowEvents: observed.escrowEvents ?? [],
    outflows: blocks.flatMap((block) =>
      outflowsIn(block, receiptsOf.get(block.hash) ?? [], watch).flatMap((out) => {
        const assetId = assetOf.get(out.token)?.id
        if (assetId === undefined || (tokensOnly && isNative(assetId))) return []
        const { account, amount, proven } = out
        return [{ account, assetId, blockNumber: block.number, amount: -amount, proven }]
      }),
    ),
  }
}

const NO_CLAIMS: ReadonlySet<string> = new Set()

const readInFull = async (
  { client, chain }: Reconciler,
  watch: WatchList,
  from: number,
  to: number,
): Promise<{ headers: Header[]; blocks: Block[] }> => {
  const headers: Block[] = []
  for (let first = from; first <= to; first += chain.blocksPerBatch) {
    const some = await client.blocks(first, Math.min(to, first + chain.blocksPerBatch - 1))
    assertLinked([...headers.slice(-1), ...some])
    headers.push(...some)
  }
  return { headers, blocks: headers.filter((block) => mayMoveMoney(block, watch)) }
}

const readByHeaders = async (
  reconciler: Reconciler,
  watch: WatchList,
  from: number,
  to: number,
): Promise<{ headers: Header[]; blocks: Block[] }> => {
  const { client, chain } = reconciler
  // Also reads the block before the first block, for the balances before it. Never reads block 0,
  // which has no transactions and changes when a development chain restarts.
  const first = Math.max(1, from - 1)
  const numbers = Array.from({ length: to - first + 1 }, (_, index) => first + index)
  const read = (await client.headers(numbers)).flatMap((header) => header ?? [])
  if (read.length < numbers.length) {
    throw new ChainError('block_missing', `The node does not have blocks ${first} to ${to}.`)
  }
  assertLinked(read)
  const headers = read.slice(from - first)
  const full =
    reconciler.depth === 'tokens' ? [] : await readActiveBlocks(reconciler, watch, read, from, to)
  const known = new Map(full.map((block) => [block.hash, block]))
  const mayCount = ({ logsBloom }: Header) =>
    mayHoldTransfer(logsBloom, watch) || mayHoldEscrowEvent(logsBloom, watch)
  const wanted = headers.flatMap((header) =>
    known.has(header.hash) || !mayCount(header) ? [] : [header.hash],
  )
  for (let at = 0; at < wanted.length; at += chain.blocksPerBatch) {
    const some = await client.blocksByHash(wanted.slice(at, at + chain.blocksPerBatch))
    for (const block of some) known.set(block.hash, block)
  }
  const blocks = headers.flatMap(({ hash }) => known.get(hash) ?? [])
  return { headers, blocks: blocks.filter((block) => mayMoveMoney(block, watch)) }
}

/** Reads all blocks that may contain native payments, and blocks with stored native payments. */
const readActiveBlocks = async (
  reconciler: Reconciler,
  watch: WatchList,
  headers: readonly Header[],
  from: number,
  to: number,
): Promise<Block[]> => {
  const { ctx, chain, client } = reconciler
  const ranges = [
    // Block 1 is always read, because the state before it is unknown.
    ...(from === 1 ? [{ from, to: from }] : []),
    ...(await findActiveBlocks(client, headers, [...watch.accounts])),
  ]
  const wanted = new Set(await listNativeBlocks(ctx, chain.id, from, to))
  for (const range of ranges) {
    for (let number = range.from; number <= range.to; number++) wanted.add(number)
  }
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]))
  const blocks: Block[] = []
  for (const range of rangesOf([...wanted], chain.blocksPerBatch)) {
    for (const block of await client.blocks(range.from, range.to)) {
      if (block.hash !== hashes.get(block.number)) {
        throw new ChainError('block_missing', `Block ${block.number} was reorged in the meantime.`)
      }
      blocks.push(block)
    }
  }
  return blocks
}

/** Groups block numbers into ranges without gaps, each of at most `most` blocks. */
const rangesOf = (numbers: number[], most: number): BlockRange[] => {
  const ranges: BlockRange[] = []
  for (const number of numbers.sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.to === number - 1 && number - last.from < most) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return ranges
}

const mayMoveMoney = (block: Block, watch: WatchList): boolean =>
  isRelevantBlock(block, watch, NO_CLAIMS) || mayPayOut(block, watch)

const assertLinked = (headers: readonly Header[]): void => {
  headers.forEach((header, index) => {
    const parent = headers[index - 1]
    if (!parent || header.parentHash === parent.hash) return
    throw new ChainError('block_missing', `Block ${header.number} does not follow its parent.`)
  })
}
