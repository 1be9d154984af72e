import { internalPosition } from '../../kernel/log-position.ts'
import { recoverSender } from '../encoding/sender.ts'
import type { ChainTransaction, Receipt, Transfer, WatchList } from '../types.ts'
import { readTransferLog } from './erc20.ts'

/**
 * Where EIP-7708 logs every move of the chain's own currency, as a Transfer. Before that fork it is
 * an address like any other, so its logs count only from the configured block on.
 */
export const NATIVE_LOG_ADDRESS = '0xfffffffffffffffffffffffffffffffffffffffe'

/** Whether the chain itself logs moves of its currency in this block. */
export const hasNativeLogs = (blockNumber: number, watch: WatchList): boolean =>
  watch.nativeLogsFrom !== undefined && blockNumber >= watch.nativeLogsFrom

/**
 * What a transaction's calls paid watched accounts, as the chain's own logs tell it (EIP-7708): in
 * the order of execution, since a log is written when the money moves. The log of the value that
 * the transaction itself carries comes first and is left out: that is read off the transaction.
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
