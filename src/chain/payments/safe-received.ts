import type { Log, Receipt } from '../types.ts'
import { ADDRESS_PADDING, WORD_CHARS } from './erc20.ts'

/**
 * Logs that hint at native payments by calls. Any contract can write such a log, so the log is no
 * proof. These logs only select the transactions to check.
 */

/** keccak('SafeReceived(address,uint256)'): a Safe (1.3.0 or later) received native currency. */
export const SAFE_RECEIVED_TOPIC =
  '0x3d0ce9bfc3ed7d6862dbb28b2dea94561fe714a1b4d019aa8af39730d1ad7c3d'

/** keccak('ExecutionSuccess(bytes32,uint256)'): a Safe executed its owners' transaction. */
const EXECUTION_SUCCESS_TOPIC = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'

/** UserOperationEvent of ERC-4337 ("Entry point definition"), equal in versions 0.6 to 0.8. */
const USER_OPERATION_TOPIC = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'

/** A payment that an account reports in its own log, without a proof. */
type SafeReceived = { account: string; sender: string; amount: bigint }

export const readSafeReceived = (log: Log): SafeReceived | null => {
  const [signature, sender] = log.topics
  if (signature !== SAFE_RECEIVED_TOPIC || log.topics.length !== 2) return null
  if (!sender?.startsWith(ADDRESS_PADDING) || log.data.length !== WORD_CHARS) return null
  const amount = BigInt(log.data)
  if (amount === 0n) return null
  return { account: log.address, sender: `0x${sender.slice(ADDRESS_PADDING.length)}`, amount }
}

/**
 * Wallets whose own operation ran in a transaction, according to the logs: senders of successful
 * ERC-4337 operations, and Safes with a successful transaction.
 */
export const executorsIn = ({ logs }: Receipt): Set<string> => {
  const executors = new Set<string>()
  for (const log of logs) {
    if (log.topics[0] === EXECUTION_SUCCESS_TOPIC) executors.add(log.address)
    if (log.topics[0] !== USER_OPERATION_TOPIC) continue
    const sender = log.topics[2]
    // The data has four words: nonce, success, actualGasCost, actualGasUsed.
    const succeeded = BigInt(`0x${log.data.slice(WORD_CHARS, WORD_CHARS + 64) || '0'}`) === 1n
    if (succeeded && sender?.startsWith(ADDRESS_PADDING)) {
      executors.add(`0x${sender.slice(ADDRESS_PADDING.length)}`)
    }
  }
  return executors
}
