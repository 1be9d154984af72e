import { type ChainClient, type Heads, networkOf } from '../../src/chain/index.ts'
import type { ChainConfig } from '../../src/config/config.ts'
import {
  advanceFinality,
  type ChainState,
  type FinalityVerdict,
  knownHashes,
  noteProblem,
} from '../../src/domain/chain/index.ts'
import type { Context } from '../../src/domain/context.ts'

type Followed = { ctx: Context; chain: ChainConfig; client: Pick<ChainClient, 'headerAt'> }

/**
 * Takes up what the nodes say is final, and says what is wrong with it where something is: such a
 * chain is read on, but its donations wait. They are never settled by a depth instead.
 *
 * @param caughtUp whether our own chain is known to be the one that the heads belong to
 */
export const followFinality = async (
  followed: Followed,
  state: ChainState,
  heads: Heads,
  caughtUp: boolean,
): Promise<void> => {
  const { ctx, chain } = followed
  const named = claimOf(chain, heads)
  const claim = typeof named === 'string' || caughtUp ? named : await soFar(followed, state, named)
  const verdict = typeof claim === 'string' ? null : await takeUp(followed, state, claim, caughtUp)
  const stalled = isStalled(ctx, chain, state, typeof named === 'string' ? null : named.number)
  const believed = verdict === 'believed' && typeof claim !== 'string' ? claim.number : 0
  const finalized = Math.max(state.finalizedNumber, believed)
  ctx.metrics.gauge('fundproof_chain_finalized', { chain: chain.id }, finalized)
  ctx.metrics.gauge('fundproof_finality_stalled', { chain: chain.id }, stalled ? 1 : 0)
  const problem =
    typeof claim === 'string'
      ? claim
      : verdict === 'contradicted'
        ? contradiction(claim, state)
        : stalled
          ? stall(state)
          : null
  if (!(await noteProblem(ctx, chain.id, problem))) return
  if (problem === null) ctx.log.info('the chain is followed again')
  else ctx.log.error({ finalizedNumber: state.finalizedNumber }, problem)
}

type Claim = { number: number; hash: string | null; latest: number }

/** The final block that the nodes name, or what is wrong with it before it is looked at. */
const claimOf = (chain: ChainConfig, { latest, ...heads }: Heads): Claim | string => {
  const network = networkOf(chain.id)
  const { finalizedNumber: number, finalizedHash: hash } = heads
  if (number === null) {
    if ('depth' in chain.finality) return { number: 0, hash: null, latest: latest.number }
    return (
      `finality_unknown: the nodes of chain ${chain.id} name no final block. Either their software ` +
      'does not know the tag "finalized", or they are not in touch with their consensus layer. ' +
      'Donations wait until they do'
    )
  }
  if (hash !== null && network?.finalBelowHead && number >= latest.number) {
    return (
      `finality_at_head: the nodes of chain ${chain.id} call their newest block final, which on ` +
      `${network.name} cannot be: their "finalized" is another word for "latest". Donations wait`
    )
  }
  return { number, hash, latest: latest.number }
}

/**
 * Far behind, our own newest block instead, where it lies below the one that the nodes name and they
 * hold the same one there: what is final is not to wait until all blocks are read.
 */
const soFar = async (
  { client }: Followed,
  { cursor, halted }: ChainState,
  claim: Claim,
): Promise<Claim> => {
  if (halted || cursor.number >= Math.min(claim.number, claim.latest)) return claim
  const header = await client.headerAt(cursor.number)
  return header?.hash === cursor.hash ? { ...claim, ...cursor } : claim
}

const takeUp = async (
  { ctx, chain }: Followed,
  state: ChainState,
  { number, hash, latest }: Claim,
  caughtUp: boolean,
): Promise<FinalityVerdict | null> => {
  // A depth is counted on our own branch, so that must be known to be the node's.
  if (hash === null && !caughtUp) return null
  const begun = state.finalizedMovedAt !== null && !state.halted
  if (number <= state.finalizedNumber && begun) {
    if (hash === null) return null
    const ours = (await knownHashes(ctx, chain.id, number, number)).get(number)
    if (ours === undefined || ours === hash) return null
  }
  // A head that is older than its final block comes from a node that is behind: it tells nothing.
  const comparable = caughtUp && number <= latest
  return advanceFinality(ctx, chain.id, {
    number,
    hash,
    ...(comparable ? { caughtUpAt: state.cursor.hash } : {}),
  })
}

/** Finality that is only behind our own reading has moved: it is we who have not. */
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
  `finality_stalled: block ${state.finalizedNumber} of chain ${state.chainId} is the newest final ` +
  `one since ${state.finalizedMovedAt?.toISOString()}. Donations wait until finality moves on`

const contradiction = ({ number, hash }: Claim, state: ChainState): string =>
  `finality_contradicted: the nodes of chain ${state.chainId} call block ${number} final with the ` +
  `hash ${hash}, but their own chain, as it was read, holds another block there. Nothing is ` +
  'settled on this chain until they agree with themselves: look at each node by itself'
