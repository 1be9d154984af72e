import { internalPosition } from '../../kernel/formats/log-position.ts'
import { recoverSender } from '../encoding/sender.ts'
import type { ChainTransaction, Receipt, Transfer, WatchList } from '../types.ts'
import { readTransferLog } from './erc20.ts'

/**
 * The address under which the chain logs native transfers (EIP-7708). Before EIP-7708 is active,
 * this is a normal address, so its logs count only from the block `nativeLogsFrom` on.
 */
export const NATIVE_LOG_ADDRESS = '0xfffffffffffffffffffffffffffffffffffffffe'

/** Whether the chain logs moves of its native currency in this block. */
export const hasNativeLogs = (blockNumber: number, watch: WatchList): boolean =>
  watch.nativeLogsFrom !== undefined && blockNumber >= watch.nativeLogsFrom

/**
 * Payments to watched accounts by a transaction's calls, read from the chain's own logs (EIP-7708),
 * in execution order. Leaves out the log of the transaction's own value.
 */
export const internalTransfersIn = (
  transaction: ChainTransaction,
  receipt: Receipt,
  watch: WatchList,
): Transfer[] => {
  const counts = new Map<string, number>()
  const transfers: Transfer[] = []
  let ownSeen = transaction.value === 0n
  for (const log of receipt.logs) {
    if (log.address !== NATIVE_LOG_ADDRESS) continue
    const move = readTransferLog(log)
    if (!move || !watch.accounts.has(move.recipient)) continue
    if (!ownSeen && move.recipient === transaction.to && move.amount === transaction.value) {
      ownSeen = move.sender === recoverSender(transaction)
      if (ownSeen) continue
    }
    const index = counts.get(move.recipient) ?? 0
    counts.set(move.recipient, index + 1)
    transfers.push({
      txHash: receipt.txHash,
      position: internalPosition(index),
      token: null,
      ...move,
    })
  }
  return transfers
}
