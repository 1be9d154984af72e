import type { WalletChain } from '../../shared/payment.ts'
import { WalletError } from '../../shared/wallet-problem.ts'
import { ask, askHex, type Provider } from './provider.ts'

/** The chain that the wallet uses now. */
export const chainIdOf = async (provider: Provider): Promise<number> =>
  Number(await askHex(provider, 'eth_chainId'))

/**
 * Makes the wallet use a chain. Adds the chain after any error except a rejection, because wallets
 * do not agree on the error for an unknown chain. Asks for the chain at the end, because some
 * wallets say that they have switched and have not.
 *
 * @throws WalletError `unknown-chain` if the wallet still uses another chain
 */
export const switchChain = async (provider: Provider, chain: WalletChain): Promise<void> => {
  const chainId = `0x${chain.id.toString(16)}`
  try {
    await ask(provider, 'wallet_switchEthereumChain', [{ chainId }])
  } catch (error) {
    refuse(error)
    await addChain(provider, chain, chainId).catch(refuse)
  }
  if ((await chainIdOf(provider)) !== chain.id) throw new WalletError('unknown-chain')
}

/** Ends the switch if it was rejected, or if another request is open. Ignores other errors. */
const refuse = (error: unknown): void => {
  const { problem } = error as WalletError
  if (problem === 'rejected' || problem === 'busy') throw error
}

const addChain = async (
  provider: Provider,
  { name, rpc, explorer, native }: WalletChain,
  chainId: string,
): Promise<void> => {
  if (rpc.length === 0) return
  await ask(provider, 'wallet_addEthereumChain', [
    {
      chainId,
      chainName: name,
      rpcUrls: rpc,
      nativeCurrency: { name: native.symbol, ...native },
      ...(explorer ? { blockExplorerUrls: [explorer] } : {}),
    },
  ])
  // Adding a chain does not select it in every wallet.
  await ask(provider, 'wallet_switchEthereumChain', [{ chainId }])
}
