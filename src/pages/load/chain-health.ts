import type { ChainProgress } from '../../domain/blocks/index.ts'
import { networkOf } from '../../kernel/networks.ts'
import type { PublicChain } from '../../kernel/settings.ts'

/** Why donations on a chain are credited late; `fine` if they are not. */
export const HEALTHS = [
  'fine',
  'unread',
  'behind',
  'notFinal',
  'nodes',
  'stalled',
  'halted',
] as const
type Health = (typeof HEALTHS)[number]

/** A chain as the status page shows it. */
export type ChainStatus = Pick<PublicChain, 'id' | 'name' | 'testnet'> &
  Pick<ChainProgress, 'cursor' | 'finalized' | 'finalizedMovedAt'> & {
    health: Health
    /** The usual time until a block is final; null if unknown. */
    typicalFinalityMs: number | null
  }

/** A chain is behind if the chain took longer than this for the blocks that are not read. */
const BEHIND_MS = 120_000
const USUAL_BLOCK_MS = 12_000

export const chainStatus = (
  chain: PublicChain,
  progress: ChainProgress,
  now: Date,
): ChainStatus => ({
  id: chain.id,
  name: chain.name,
  testnet: chain.testnet,
  cursor: progress.cursor,
  finalized: progress.finalized,
  finalizedMovedAt: progress.finalizedMovedAt,
  health: healthOf(chain, progress, now),
  typicalFinalityMs: networkOf(chain.id)?.typicalFinalityMs ?? null,
})

const healthOf = (
  { id, stalledAfterMs }: PublicChain,
  progress: ChainProgress,
  now: Date,
): Health => {
  const { blockTimeMs = USUAL_BLOCK_MS } = networkOf(id) ?? {}
  const { finalizedMovedAt, blocksBehind } = progress
  if (progress.halted) return 'halted'
  if (progress.idleMs === null) return 'unread'
  if (progress.isStalled) return 'stalled'
  if (progress.problem !== null) return 'nodes'
  const finalForMs = finalizedMovedAt ? now.getTime() - finalizedMovedAt.getTime() : 0
  if (stalledAfterMs !== null && finalForMs > stalledAfterMs) return 'notFinal'
  return blocksBehind * blockTimeMs > BEHIND_MS ? 'behind' : 'fine'
}
