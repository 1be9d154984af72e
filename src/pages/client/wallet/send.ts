import { WalletError } from '../../shared/wallet-problem.ts'
import { ask, askHex, type Provider } from './provider.ts'

/** A transaction. `value` is in base units: decimal text, or hex with 0x. */
type WalletCall = { to: string; data?: string; value?: string }

const RECEIPT_EVERY_MS = 1_500
const MAX_RECEIPT_READS = 400

/** Sends a transaction and returns its hash. The wallet chooses the fee. */
const sendTransaction = async (
  provider: Provider,
  from: string,
  { to, data, value = '0' }: WalletCall,
): Promise<string> => {
  const call = { from, to, value: `0x${BigInt(value).toString(16)}`, ...(data ? { data } : {}) }
  return askHex(provider, 'eth_sendTransaction', [call])
}

/**
 * Sends transactions one after the other, each after the receipt of the one before. Calls `check`
 * before each request, so that it can end the work with an error.
 */
export const sendInOrder = async (
  provider: Provider,
  from: string,
  calls: readonly WalletCall[],
  check: () => Promise<void> = async () => {},
): Promise<string> => {
  let hash = ''
  for (const [index, call] of calls.entries()) {
    if (index > 0) await waitForReceipt(provider, hash, check)
    await check()
    hash = await sendTransaction(provider, from, call)
  }
  return hash
}

/**
 * Sends calls as one request (EIP-5792). The wallet's answer is no transaction hash.
 *
 * @throws WalletError `unsupported` if the wallet cannot do this
 */
export const sendCalls = async (provider: Provider, bundle: object): Promise<void> => {
  await ask(provider, 'wallet_sendCalls', [bundle])
}

/** Signs typed data (EIP-712). Returns the signature. */
export const signTypedData = (
  provider: Provider,
  account: string,
  typedData: object,
): Promise<string> => askHex(provider, 'eth_signTypedData_v4', [account, JSON.stringify(typedData)])

/** Signs a text (EIP-191). Returns the signature. */
export const signMessage = (
  provider: Provider,
  account: string,
  message: string,
): Promise<string> => askHex(provider, 'personal_sign', [hexOf(message), account])

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Waits for a block that holds the transaction. @throws WalletError if it has failed there */
const waitForReceipt = async (
  provider: Provider,
  hash: string,
  check: () => Promise<void>,
): Promise<void> => {
  for (let reads = 0; reads < MAX_RECEIPT_READS; reads++) {
    await check()
    const receipt = await ask(provider, 'eth_getTransactionReceipt', [hash])
    if (receipt) {
      if ((receipt as { status?: unknown }).status === '0x1') return
      throw new WalletError('failed', `Transaction ${hash} has failed.`)
    }
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_EVERY_MS))
  }
  throw new WalletError('failed', `No block holds transaction ${hash} yet.`)
}
