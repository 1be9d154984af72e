import { balanceCall } from '../../shared/encode-call.ts'
import type { WalletChain } from '../../shared/payment.ts'
import { toWalletError, WalletError } from '../../shared/wallet-problem.ts'

/** The part of a wallet's EIP-1193 interface that the pages use. */
export type Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** Asks a wallet. @throws WalletError */
export const ask = async (
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> => {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    throw toWalletError(error)
  }
}

const HEX = /^0x[0-9a-fA-F]*$/

/** Asks for a value in hex. @throws WalletError `failed` for any other answer */
export const askHex = async (
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<string> => {
  const answer = await ask(provider, method, params)
  if (typeof answer === 'string' && HEX.test(answer)) return answer
  throw new WalletError('failed', `${method} returned no hex value.`)
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The selected account in a list of a wallet; null if the list is empty or wrong. */
export const firstAccount = (accounts: unknown): string | null => {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && ADDRESS.test(first) ? first : null
}

/** Listens to an event of a wallet. Returns the function that stops. */
export const listen = (
  provider: Provider,
  event: 'accountsChanged' | 'chainChanged',
  listener: (value: unknown) => void,
): (() => void) => {
  provider.on?.(event, listener)
  return () => void provider.removeListener?.(event, listener)
}

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
