import type { DevChain } from '../../kernel/dev-chain.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/**
 * Makes a transaction vanish from the development chain, and with it what its sender sent later.
 * Returns how many blocks were replaced for it, 0 where none held it yet.
 *
 * @throws DomainError `not_found`, `conflict` when it is too deep, `unavailable`
 */
export const dropTransaction = async (
  { log }: Context,
  chain: DevChain,
  { txHash }: { txHash: string },
): Promise<{ replacedBlocks: number }> => {
  const replacedBlocks = await chain.drop(txHash)
  if (replacedBlocks === null) {
    throw new DomainError('not_found', 'The development chain knows no such transaction.')
  }
  log.info(
    { chainId: chain.chainId, txHash, replacedBlocks },
    'a transaction was dropped on demand',
  )
  return { replacedBlocks }
}
