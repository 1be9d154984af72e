import { balanceCall } from '../../shared/encode-call.ts'
import { WalletError } from '../../shared/wallet-problem.ts'
import { ask, askHex, firstAccount, type Provider } from './provider.ts'

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
