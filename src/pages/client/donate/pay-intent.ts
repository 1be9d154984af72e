import { transferCall } from '../../shared/encode-call.ts'
import type { Intent } from '../../shared/payment.ts'
import { ask, askHex, type Provider } from '../wallet/provider.ts'
import { sendInOrder, sendTransaction, waitForReceipt } from '../wallet/send.ts'
import type { Tools } from './pay-escrow.ts'
import { RefusedError } from './server.ts'

const TOOLS: Tools = { ask, askHex, sendTransaction, waitForReceipt }

/** Shows the requests of the wallet on the page of an intent to an escrow. */
export const showSteps = async (provider: Provider, intent: Intent): Promise<void> =>
  (await import('./pay-escrow.ts')).showSteps(TOOLS, provider, intent)

/**
 * Pays an intent. Returns the hash of the payment, or null as `payEscrow` does. Calls `check`
 * before each request to the wallet.
 *
 * @throws WalletError, RefusedError if an escrow records no more donors, and what `check` throws
 */
export const payIntent = async (
  provider: Provider,
  intent: Intent,
  check: () => Promise<void>,
): Promise<string | null> => {
  const { wallet, account, token, units, methods } = intent
  if (methods?.length === 0) throw new RefusedError('closed')
  if (methods !== null) {
    return (await import('./pay-escrow.ts')).payEscrow(TOOLS, provider, intent, check)
  }
  const call = token
    ? { to: token, data: transferCall(account, units) }
    : { to: account, value: units }
  return sendInOrder(provider, wallet, [call], check)
}
