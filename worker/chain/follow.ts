import type { ChainClient } from '../../src/chain/index.ts'
import {
  applyBlocks,
  type ChainState,
  knownHashes,
  noteProgress,
  openChain,
  readChain,
  revertBlocks,
  settleBatch,
  takeLease,
} from '../../src/domain/chain/index.ts'
import { StartError } from '../../src/kernel/errors.ts'
import { crashPoint } from '../crash-points.ts'
import { followFinality } from './finality.ts'
import { findAncestor } from './find-ancestor.ts'
import { type BlockSource, createReadAhead, type ReadBlocks } from './read-ahead.ts'

export type Follower = BlockSource & {
  /** Names this worker in the chain's lease. */
  owner: string
  leaseMs: number
}

type Heads = Awaited<ReturnType<ChainClient['heads']>>

/** What is final is settled after so many: somebody waits for it. */
const MAX_BATCHES_PER_PASS = 50

/**
 * - `elsewhere`: another worker follows the chain.
 * - `behind`: it moved on and there is more to read: another pass is to be made at once.
 */
export type Followed = 'elsewhere' | 'behind' | 'done'

/**
 * One pass over a chain: reads what is new, undoes what the chain has taken back, settles what is
 * final, as far as it came. Every write compares the cursor, so two workers that both believe to be
 * the one do no harm.
 */
export const followChain = async (follower: Follower, signal: AbortSignal): Promise<Followed> => {
  const { ctx, chain, client } = follower
  let state = (await readChain(ctx, chain.id)) ?? (await beginToFollow(follower))
  const leased = await lease(follower)
  if (!leased) return 'elsewhere'
  state = leased
  const heads = await client.heads()
  const begun = state.cursor.number
  const end = begun + MAX_BATCHES_PER_PASS * chain.blocksPerBatch
  const last = Math.min(heads.latest.number, end)
  const read = createReadAhead(follower, last)
  let caughtUp = false
  for (let batch = 0; batch < MAX_BATCHES_PER_PASS && !signal.aborted; batch++) {
    if (state.cursor.number >= last && last < heads.latest.number) break
    const next = await step(follower, state, heads, read)
    caughtUp = next === 'caught-up'
    if (caughtUp) break
    const renewed = await lease(follower)
    if (!renewed) return 'elsewhere'
    state = renewed
  }
  await followFinality(follower, state, heads, caughtUp)
  await settle(follower, signal)
  await noteProgress(ctx, chain.id)
  return caughtUp || state.cursor.number <= begun ? 'done' : 'behind'
}

const lease = async ({ ctx, chain, owner, leaseMs }: Follower): Promise<ChainState | null> => {
  const state = await takeLease(ctx, chain.id, owner, leaseMs)
  if (state) ctx.metrics.gauge('fundproof_chain_cursor', { chain: chain.id }, state.cursor.number)
  return state
}

/**
 * The first time that this database follows the chain: it starts where nothing can change any more,
 * because a first block that is taken back leaves no ancestor to return to.
 */
const beginToFollow = async ({ ctx, chain, client }: Follower): Promise<ChainState> => {
  const { finalizedNumber } = await client.heads()
  if (finalizedNumber === null && 'tag' in chain.finality && chain.startBlock === undefined) {
    throw new Error(`chain ${chain.id} names no final block yet to start from, and no startBlock`)
  }
  const number = Math.min(
    chain.startBlock ?? Number.POSITIVE_INFINITY,
    finalizedNumber ?? chain.startBlock ?? 0,
  )
  const header = await client.headerAt(number)
  if (!header) {
    throw new StartError(`Wrong setting: chain ${chain.id} has no block ${number} to start from.`)
  }
  return openChain(ctx, chain.id, {
    number: header.number,
    hash: header.hash,
    parentHash: header.parentHash,
    minedAt: new Date(header.timestamp * 1_000),
  })
}

/** Reads the next blocks, or undoes those that the chain no longer holds. */
const step = async (
  follower: Follower,
  state: ChainState,
  heads: Heads,
  read: ReturnType<typeof createReadAhead>,
): Promise<'caught-up' | 'moved'> => {
  const { ctx, chain } = follower
  const { latest } = heads
  if (latest.hash === state.cursor.hash) return 'caught-up'
  if (latest.number <= state.cursor.number) {
    const known = await knownHashes(ctx, chain.id, latest.number, latest.number)
    // The node is behind us on our own chain: nothing has been taken back.
    if (known.get(latest.number) === latest.hash) return 'caught-up'
    return undo(follower, state, latest.number)
  }
  const next = await read(state.cursor)
  if (!next) return undo(follower, state, state.cursor.number)
  await apply(follower, state, next, latest.number)
  return 'moved'
}

const apply = async (
  { ctx, chain }: Follower,
  state: ChainState,
  { blocks, observed }: ReadBlocks,
  headNumber: number,
): Promise<void> => {
  // crash point F1: blocks verified, nothing written.
  crashPoint('F1')
  await applyBlocks(ctx, {
    chainId: chain.id,
    after: state.cursor,
    blocks: blocks.map((block) => ({
      number: block.number,
      hash: block.hash,
      parentHash: block.parentHash,
      minedAt: new Date(block.timestamp * 1_000),
    })),
    observed,
    headNumber,
  })
  // crash point F2: blocks written, what is final in them not settled.
  crashPoint('F2')
}

const undo = async (follower: Follower, state: ChainState, from: number): Promise<'moved'> => {
  const { ctx, chain, client } = follower
  const ancestor = await findAncestor(ctx, client, from)
  if (!ancestor) {
    throw new Error(
      `chain ${chain.id} has changed deeper than the blocks that are remembered: nothing is credited until an operator has looked`,
    )
  }
  if (ancestor.hash === state.cursor.hash) return 'moved'
  // A node that was switched to another chain looks the same, and forks have blocks in common.
  await client.assertChainId()
  // crash point R1: a reorganisation was found, nothing undone.
  crashPoint('R1')
  const undone = await revertBlocks(ctx, { chainId: chain.id, from: state.cursor, ancestor })
  if (undone) {
    const facts = { depth: state.cursor.number - ancestor.number, ...undone }
    if (undone.reversed > 0) ctx.log.error(facts, 'a reorganisation took back final donations')
    else ctx.log.warn(facts, 'the chain was reorganised')
  }
  // crash point R2: undone, the new branch not read.
  crashPoint('R2')
  return 'moved'
}

const settle = async ({ ctx, chain }: Follower, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const start = performance.now()
    // crash point S1: within the transaction that settles, before its commit.
    const settled = await settleBatch(ctx, chain.id, () => crashPoint('S1'))
    if (settled === 0) return
    const seconds = (performance.now() - start) / 1_000
    ctx.metrics.observe('fundproof_settle_batch_seconds', { chain: chain.id }, seconds)
    ctx.log.info({ settled }, 'donations settled')
    await noteProgress(ctx, chain.id)
    // crash point S2: settled and committed, nobody woken up.
    crashPoint('S2')
  }
}
