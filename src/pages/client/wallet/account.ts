import { balanceCall } from '../../shared/encode-call.ts'
import type { WalletChain } from '../../shared/payment.ts'
import { WalletError } from '../../shared/wallet-problem.ts'
import { firstAccount } from './events.ts'
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

/** Asks the wallet for its account. Call it only after a click, because the wallet opens. */
export const connect = async (provider: Provider): Promise<string> => {
  const account = firstAccount(await ask(provider, 'eth_requestAccounts'))
  if (account !== null) return account
  throw new WalletError('locked')
}

/** The balances of an account in base units, read through the wallet. */
export const readBalances = async (
  provider: Provider,
  account: string,
  token: string | null,
): Promise<{ native: bigint; token: bigint | null }> => {
  const native = askHex(provider, 'eth_getBalance', [account, 'latest'])
  const call = token && { to: token, data: balanceCall(account) }
  const held = call ? askHex(provider, 'eth_call', [call, 'latest']) : null
  const [coin, tokens] = await Promise.all([native, held])
  return { native: numberOf(coin), token: tokens === null ? null : numberOf(tokens) }
}

/** An account that delegates to a contract (EIP-7702) begins with this. It has its own key. */
const DELEGATION = '0xef0100'

/** Whether the account is a contract, as a Safe is. Such a wallet may need several signers. */
export const isContract = async (provider: Provider, account: string): Promise<boolean> => {
  const code = await askHex(provider, 'eth_getCode', [account, 'latest'])
  return code.length > 2 && !code.toLowerCase().startsWith(DELEGATION)
}

/** A call to an address without a contract returns an empty value. */
const numberOf = (hex: string): bigint => (hex === '0x' ? 0n : BigInt(hex))
