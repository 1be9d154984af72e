import type { Context } from '../../domain/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { WalletChain } from '../shared/gift.ts'

/**
 * The public data of a chain, as wallets need it.
 *
 * @throws DomainError `unknown_chain` if the service does not follow this chain any more
 */
export const walletChainOf = ({ settings }: Context, chainId: number): WalletChain => {
  const chain = settings.chains.find(({ id }) => id === chainId)
  const native = settings.assets.all.find(
    (asset) => asset.chainId === chainId && asset.kind === 'native',
  )
  if (!chain || !native) {
    throw new DomainError('unknown_chain', 'The service does not follow this chain any more.')
  }
  const { id, name, rpc, explorer } = chain
  return { id, name, rpc, explorer, native }
}
