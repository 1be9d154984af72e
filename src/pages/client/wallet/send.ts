import { WalletError } from '../../shared/wallet-problem.ts'
import { ask, askHex, type Provider } from './provider.ts'

/** A transaction. `value` is in base units: decimal text, or hex with 0x. */
type WalletCall = { to: string; data?: string; value?: string }

const RECEIPT_EVERY_MS = 1_500
const MAX_RECEIPT_READS = 400

/** Sends a transaction and returns its hash. The wallet chooses the fee. */
export const sendTransaction = async (
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

/** Signs a text (EIP-191). Returns the signature. */
export const signMessage = (
  provider: Provider,
  account: string,
  message: string,
): Promise<string> => askHex(provider, 'personal_sign', [hexOf(message), account])

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Waits for a block that holds the transaction. @throws WalletError if it has failed there */
export const waitForReceipt = async (
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
