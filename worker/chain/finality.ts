import { type ChainClient, type Heads, networkOf } from '../../src/chain/index.ts'
import type { ChainConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/db/context.ts'
import {
  advanceFinality,
  type FinalityVerdict,
  knownHash,
  noteClaimed,
  noteProblem,
} from '../../src/domain/blocks/index.ts'
import type { ChainState } from '../../src/domain/shared/index.ts'
import type { Committee } from './committee.ts'

type FinalityDeps = {
  ctx: Context
  chain: ChainConfig
  client: Pick<ChainClient, 'headerAt'>
  committee: Pick<Committee, 'limit' | 'unproven'> | null
}

/**
 * Moves the stored final block up to the final block of the nodes. If this is impossible, stores
 * the problem, and donations wait. A number of confirmations never replaces a final block.
 *
 * @param caughtUp whether the newest block of the nodes is among the stored blocks
 */
export const updateFinality = async (
  deps: FinalityDeps,
  state: ChainState,
  heads: Heads,
  { caughtUp }: { caughtUp: boolean },
): Promise<void> => {
  const { ctx, chain, committee } = deps
  const named = candidateOf(chain, heads)
  const stored =
    typeof named === 'string' || caughtUp ? named : await catchUpCandidate(deps, state, named)
  if (!committee && state.claimedNumber !== null) await noteClaimed(ctx, chain.id, null)
  const candidate =
    typeof stored === 'string' || !committee
      ? stored
      : await committee.limit(state, stored, { caughtUp })
  const block = typeof candidate === 'string' ? null : candidate
  const verdict = block && (await advance(deps, state, block, { caughtUp }))
  const claimed = typeof named === 'string' ? null : named.number
  const isUnproven = committee !== null && claimed !== null && claimed > state.finalizedNumber
  // Proofs of blocks that are not read yet are no reason for an alarm.
  const mayStall = committee === null || caughtUp
  const newest = isUnproven ? (block?.number ?? null) : claimed
  const stalled = mayStall && isStalled(ctx, chain, state, newest)
  const believed = verdict === 'believed' ? (block?.number ?? 0) : 0
  const finalized = Math.max(state.finalizedNumber, believed)
  ctx.metrics.gauge('fundproof_chain_finalized', { chain: chain.id }, finalized)
  ctx.metrics.gauge('fundproof_finality_stalled', { chain: chain.id }, stalled ? 1 : 0)
  const problem =
    typeof candidate === 'string'
      ? candidate
      : verdict === 'contradicted' && block
        ? contradiction(block, state)
        : stalled
          ? isUnproven
            ? committee.unproven(state)
            : stall(state)
          : null
  if (!(await noteProblem(ctx, chain.id, problem))) return
  if (problem === null) ctx.log.info('the chain is synced again')
  else ctx.log.error({ finalizedNumber: state.finalizedNumber }, problem)
}

type FinalityCandidate = { number: number; hash: string | null; latest: number }

/** The final block that the nodes report, or the reason why this block cannot be used. */
const candidateOf = (
  chain: ChainConfig,
  { latest, ...heads }: Heads,
): FinalityCandidate | string => {
  const network = networkOf(chain.id)
  const { finalizedNumber: number, finalizedHash: hash } = heads
  if (number === null) {
    if ('depth' in chain.finality) return { number: 0, hash: null, latest: latest.number }
    return (
      `finality_unknown: the nodes of chain ${chain.id} report no final block. They do not support ` +
      'the tag "finalized", or they have no connection to their consensus layer. ' +
      'Donations wait until the nodes report a final block'
    )
  }
  if (hash !== null && network?.finalBelowHead && number >= latest.number) {
    return (
      `finality_at_head: the nodes of chain ${chain.id} report their newest block as final, which on ` +
      `${network.name} cannot be: they answer "finalized" like "latest". Donations wait`
    )
  }
  return { number, hash, latest: latest.number }
}

/**
 * While the sync reads old blocks, its newest block counts as final if the nodes have the same
 * block and report a higher final block. So donations do not wait until all blocks are read.
 */
const catchUpCandidate = async (
  { client }: FinalityDeps,
  { cursor, halted }: ChainState,
  candidate: FinalityCandidate,
): Promise<FinalityCandidate> => {
  if (halted || cursor.number >= Math.min(candidate.number, candidate.latest)) return candidate
  const header = await client.headerAt(cursor.number)
  return header?.hash === cursor.hash ? { ...candidate, ...cursor } : candidate
}

const advance = async (
  { ctx, chain }: FinalityDeps,
  state: ChainState,
  { number, hash, latest }: FinalityCandidate,
  { caughtUp }: { caughtUp: boolean },
): Promise<FinalityVerdict | null> => {
  // Without a hash, the final block is found by its depth, so the newest block must be stored.
  if (hash === null && !caughtUp) return null
  const begun = state.finalizedMovedAt !== null && !state.halted
  if (number <= state.finalizedNumber && begun) {
    if (hash === null) return null
    const ours = await knownHash(ctx, chain.id, number)
    if (ours === undefined || ours === hash) return null
  }
  // If the newest block is below the final block, some nodes lag, and no halt may follow from that.
  const comparable = caughtUp && number <= latest
  return advanceFinality(ctx, chain.id, {
    number,
    hash,
    ...(comparable ? { caughtUpAt: state.cursor.hash } : {}),
  })
}

/** Whether finality has not advanced for too long, and the nodes report no newer final block. */
const isStalled = (
  ctx: Context,
  chain: ChainConfig,
  state: ChainState,
  claimed: number | null,
): boolean => {
  if (chain.stalledAfterMs === undefined || state.finalizedMovedAt === null) return false
  if (claimed !== null && claimed > state.finalizedNumber) return false
  return ctx.clock.now().getTime() - state.finalizedMovedAt.getTime() > chain.stalledAfterMs
}

const stall = (state: ChainState): string =>
  `finality_stalled: the final block ${state.finalizedNumber} of chain ${state.chainId} has not ` +
  `changed since ${state.finalizedMovedAt?.toISOString()}. Donations wait until it changes`

const contradiction = ({ number, hash }: FinalityCandidate, state: ChainState): string =>
  `finality_contradicted: the nodes of chain ${state.chainId} report block ${number} as final with ` +
  `the hash ${hash}, but they sent another block ${number} before. Settlement on this chain is ` +
  'halted until the nodes are consistent: check each node'
