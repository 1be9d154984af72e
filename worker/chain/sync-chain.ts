import { type ChainClient, ChainError, type Header, type Heads } from '../../src/chain/index.ts'
import type { Context } from '../../src/db/context.ts'
import {
  applyBlocks,
  haltChain,
  knownHash,
  knownHashes,
  noteProgress,
  oldestKnown,
  openChain,
  readChain,
  revertBlocks,
  takeLease,
} from '../../src/domain/blocks/index.ts'
import type { BlockRef, ChainState } from '../../src/domain/shared/index.ts'
import { StartError } from '../../src/kernel/errors.ts'
import { crashPoint } from '../crash-points.ts'
import type { Committee } from './committee.ts'
import { updateFinality } from './finality.ts'
import { proveEscrows } from './prove-escrows.ts'
import { type BlockSource, createReadAhead, type ReadBlocks } from './read-ahead.ts'
import { settleFinal } from './settle-final.ts'

export type ChainSync = BlockSource & {
  /** The name under which this worker takes the chain's lease (the right to process the chain). */
  owner: string
  leaseMs: number
  /** Null if the nodes alone say what is final. */
  committee: Committee | null
}

/** The most batches that a pass reads before it settles donations. */
const MAX_BATCHES_PER_PASS = 50

/**
 * - `elsewhere`: another worker has the chain's lease.
 * - `behind`: there are more blocks to read, so the next pass starts at once.
 * - `done`: the next pass starts after the usual pause.
 */
type PassResult = 'elsewhere' | 'behind' | 'done'

/**
 * Runs one pass over a chain: reads new blocks, rolls back replaced blocks, and settles final
 * donations and events of escrows. Every write checks that the cursor is unchanged. So there is no
 * harm if two workers believe that they have the lease.
 */
export const syncChain = async (sync: ChainSync, signal: AbortSignal): Promise<PassResult> => {
  const { ctx, chain, client } = sync
  let state = (await readChain(ctx, chain.id)) ?? (await startSync(sync))
  const leased = await lease(sync)
  if (!leased) return 'elsewhere'
  state = leased
  const heads = await client.heads()
  const begun = state.cursor.number
  const end = begun + MAX_BATCHES_PER_PASS * chain.blocksPerBatch
  const last = Math.min(heads.latest.number, end)
  const read = createReadAhead(sync, last)
  let caughtUp = false
  for (let batch = 0; batch < MAX_BATCHES_PER_PASS && !signal.aborted; batch++) {
    if (state.cursor.number >= last && last < heads.latest.number) break
    const next = await step(sync, state, heads, read)
    caughtUp = next === 'caught-up'
    if (caughtUp) break
    const renewed = await lease(sync)
    if (!renewed) return 'elsewhere'
    state = renewed
  }
  await updateFinality(sync, state, heads, { caughtUp })
  await proveEscrows(sync)
  await settleFinal(sync, signal, () => noteProgress(ctx, chain.id))
  await noteProgress(ctx, chain.id)
  return caughtUp || state.cursor.number <= begun ? 'done' : 'behind'
}

const lease = async (sync: ChainSync): Promise<ChainState | null> => {
  const { ctx, chain, client, owner, leaseMs, committee } = sync
  const nodes = [...client.nodes(), ...(committee?.feeds() ?? [])]
  const state = await takeLease(ctx, chain.id, owner, leaseMs, nodes)
  if (state) ctx.metrics.gauge('fundproof_chain_cursor', { chain: chain.id }, state.cursor.number)
  // Only the worker with the lease sets this gauge. Other workers reset it, so no old number stays.
  else ctx.metrics.gauge('fundproof_escrows_unproven', { chain: chain.id }, 0)
  return state
}

/** Starts a chain's first sync at a final block, because a reorg cannot replace that block. */
const startSync = async ({ ctx, chain, client }: ChainSync): Promise<ChainState> => {
  const { finalizedNumber } = await client.heads()
  if (finalizedNumber === null && 'tag' in chain.finality && chain.startBlock === undefined) {
    throw new Error(`chain ${chain.id} has no finalized block yet and no startBlock`)
  }
  const number = Math.min(
    chain.startBlock ?? Number.POSITIVE_INFINITY,
    finalizedNumber ?? chain.startBlock ?? 0,
  )
  const header = await client.headerAt(number)
  if (!header) {
    throw new StartError(`Wrong setting: chain ${chain.id} has no block ${number} to start from.`)
  }
  return openChain(ctx, chain.id, toStoredBlock(header))
}

const toStoredBlock = ({ number, hash, parentHash, timestamp }: Header) => ({
  number,
  hash,
  parentHash,
  minedAt: new Date(timestamp * 1_000),
})

/** Reads and applies the next blocks, or rolls back after a reorg. */
const step = async (
  sync: ChainSync,
  state: ChainState,
  heads: Heads,
  read: ReturnType<typeof createReadAhead>,
): Promise<'caught-up' | 'moved'> => {
  const { ctx, chain } = sync
  const { latest } = heads
  if (latest.hash === state.cursor.hash) return 'caught-up'
  if (latest.number <= state.cursor.number) {
    // The node's newest block is stored already. So the node lags, and there is no reorg.
    if ((await knownHash(ctx, chain.id, latest.number)) === latest.hash) return 'caught-up'
    if (latest.number < (await oldestKnown(ctx, chain.id))) {
      // The nodes may sync from the start again, so a later pass goes on.
      throw new ChainError('block_missing', `The nodes of chain ${chain.id} have only old blocks.`)
    }
    return rollBack(sync, state, latest.number)
  }
  const next = await read(state.cursor)
  if (!next) return rollBack(sync, state, state.cursor.number)
  await apply(sync, state, next, latest.number)
  return 'moved'
}

const apply = async (
  { ctx, chain }: ChainSync,
  state: ChainState,
  { blocks, observed }: ReadBlocks,
  headNumber: number,
): Promise<void> => {
  // crash point F1: blocks are verified, nothing is written.
  crashPoint('F1')
  await applyBlocks(ctx, {
    chainId: chain.id,
    after: state.cursor,
    blocks: blocks.map(toStoredBlock),
    observed,
    headNumber,
  })
  // crash point F2: blocks are written, final donations are not settled.
  crashPoint('F2')
}

const rollBack = async (sync: ChainSync, state: ChainState, from: number): Promise<'moved'> => {
  const { ctx, chain, client } = sync
  const ancestor = await findAncestor(ctx, client, from)
  if (ancestor?.number === from) {
    // The error fails the pass, and the pause grows after each failed pass.
    throw new ChainError(
      'wrong_hash',
      `The newest block of chain ${chain.id} is not on the chain that the same nodes show.`,
    )
  }
  // Blocks of another chain would look like a reorg, so this checks the chain id of the node.
  await client.assertChainId()
  if (!ancestor) {
    await haltChain(ctx, chain.id, state.cursor)
    throw new Error(
      `chain ${chain.id}: reorg deeper than the stored blocks; settlement halted, operator action required`,
    )
  }
  if (await sync.committee?.refusesReorg(ancestor.number)) {
    await haltChain(ctx, chain.id, state.cursor)
    throw new Error(
      `finality_contradicted: the nodes of chain ${chain.id} replace blocks above ${ancestor.number} ` +
        'that its sync committee has made final. Settlement is halted: check each node',
    )
  }
  // crash point R1: a reorg is detected, nothing is rolled back.
  crashPoint('R1')
  const reverted = await revertBlocks(ctx, { chainId: chain.id, from: state.cursor, ancestor })
  if (reverted) {
    const facts = { depth: state.cursor.number - ancestor.number, ...reverted }
    if (reverted.reversed + (reverted.escrowEvents ?? 0) > 0)
      ctx.log.error(facts, 'a reorg reverted final blocks')
    else ctx.log.warn(facts, 'reorg rolled back')
  }
  // crash point R2: old blocks are rolled back, the new branch is not read.
  crashPoint('R2')
  return 'moved'
}

const FIRST_STEP = 8
const LONGEST_STEP = 512

/**
 * Finds the newest stored block at or below `from` that is also in the nodes' chain. Goes back in
 * growing batches. Returns null if the nodes have none of the stored blocks.
 */
const findAncestor = async (
  ctx: Context,
  client: ChainClient,
  from: number,
): Promise<BlockRef | null> => {
  const oldest = await oldestKnown(ctx, client.chainId)
  let step = FIRST_STEP
  for (let top = from; top >= oldest; ) {
    const bottom = Math.max(oldest, top - step + 1)
    const known = await knownHashes(ctx, client.chainId, bottom, top)
    const numbers = Array.from({ length: top - bottom + 1 }, (_, index) => top - index)
    const headers = await client.headers(numbers)
    for (const [index, number] of numbers.entries()) {
      const hash = headers[index]?.hash
      if (hash !== undefined && hash === known.get(number)) return { number, hash }
    }
    top = bottom - 1
    step = Math.min(step * 4, LONGEST_STEP)
  }
  return null
}
