import type { DevChain } from '../../kernel/dev-chain.ts'
import type { Context } from '../context.ts'

/**
 * Replaces the newest blocks of the development chain by empty ones: what they held is gone.
 *
 * @throws DomainError `conflict` when the chain has not so many blocks, `unavailable`
 */
export const reorganise = async (
  { log }: Context,
  chain: DevChain,
  { depth }: { depth: number },
): Promise<void> => {
  await chain.reorg(depth)
  log.info({ chainId: chain.chainId, depth }, 'blocks were replaced on demand')
}
