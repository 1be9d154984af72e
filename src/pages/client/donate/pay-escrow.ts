import { donateWithAuthorizationCall } from '../../shared/encode-donation.ts'
import type { Intent } from '../../shared/payment.ts'
import type { WalletError } from '../../shared/wallet-problem.ts'
import { stepsOf } from '../../shared/wallet-steps.ts'
import type * as wallet from '../wallet/provider.ts'
import type { Provider } from '../wallet/provider.ts'
import type * as send from '../wallet/send.ts'
import { showFees } from '../wallet/show-fees.ts'

/**
 * Loaded only for an intent to an escrow. It gets the functions that all payments use, because a
 * file that imports them would split the code of the other payments into more files.
 */
export type Tools = Pick<typeof wallet, 'ask' | 'askHex'> &
  Pick<typeof send, 'sendTransaction' | 'waitForReceipt'>

/** Whether a wallet has said that it sends several calls at once, and then refused to. */
let hasNoBatch = false

/**
 * Whether the wallet sends several calls at once (EIP-5792). Wallets that would first change the
 * account for this do not count.
 */
const canBatch = async (
  { ask, askHex }: Tools,
  provider: Provider,
  { wallet }: Intent,
): Promise<boolean> => {
  if (hasNoBatch) return false
  const known = await ask(provider, 'wallet_getCapabilities', [wallet]).catch(() => null)
  const chains = (known ?? {}) as Record<string, { atomic?: { status?: string } } | undefined>
  return chains[await askHex(provider, 'eth_chainId')]?.atomic?.status === 'supported'
}

/** Shows the requests of this wallet, and their fees at the price of gas now. */
export const showSteps = async (
  tools: Tools,
  provider: Provider,
  intent: Intent,
): Promise<void> => {
  const place = document.querySelector<HTMLElement>('.wallet-steps')
  if (!place || !(await showFees(tools.askHex, provider, place))) return
  place.classList.toggle('has-batch', await canBatch(tools, provider, intent))
}

/** Marks the request that the wallet shows now. */
const markStep = (hasBatch: boolean, index: number): void => {
  const list = globalThis.document?.querySelector(hasBatch ? '.by-batch' : '.by-each')
  for (const [at, item] of [...(list?.querySelectorAll('.step') ?? [])].entries()) {
    if (at === index) item.setAttribute('aria-current', 'step')
    else item.removeAttribute('aria-current')
  }
}

/**
 * Asks the wallet for each step. Returns the hash of the payment; null for a wallet that sends all
 * calls at once, because its answer is not a hash.
 *
 * @throws WalletError, and what `check` throws
 */
export const payEscrow = async (
  tools: Tools,
  provider: Provider,
  intent: Intent,
  check: () => Promise<void>,
): Promise<string | null> => {
  const { wallet } = intent
  const hasBatch = await canBatch(tools, provider, intent)
  let signature = ''
  let hash: string | null = null
  for (const [index, step] of stepsOf(intent, hasBatch).entries()) {
    if (hash !== null) await tools.waitForReceipt(provider, hash, check)
    await check()
    markStep(hasBatch, index)
    if (step.kind === 'permission') {
      const data = JSON.stringify(step.typedData)
      signature = await tools.askHex(provider, 'eth_signTypedData_v4', [wallet, data])
    } else if (step.kind === 'batch') {
      await tools.ask(provider, 'wallet_sendCalls', [step.bundle]).catch((error: WalletError) => {
        hasNoBatch = error.problem === 'unsupported'
        throw error
      })
    } else {
      const data = step.data ?? donateWithAuthorizationCall(step.args, signature)
      hash = await tools.sendTransaction(provider, wallet, { to: step.to, data })
    }
  }
  return hash
}
