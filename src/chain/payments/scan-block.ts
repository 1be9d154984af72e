import { NATIVE_POSITION } from '../../kernel/formats/log-position.ts'
import { recoverSender } from '../encoding/sender.ts'
import type {
  Block,
  ChainTransaction,
  ClaimOutcome,
  Claims,
  Receipt,
  Transfer,
  WatchList,
} from '../types.ts'
import { mayHoldEscrowEvent, mayHoldSafeReceived, mayHoldTransfer } from './bloom.ts'
import { readTransferLog } from './erc20.ts'
import { keepNet, outsIn, type Received } from './keep-net.ts'
import { hasNativeLogs, internalTransfersIn, NATIVE_LOG_ADDRESS } from './native-log.ts'

/**
 * Whether a block's receipts must be read. `false` proves that no watched account got a token
 * payment in the block or (with the proof `transactions-root`) a direct native payment, and that no
 * watched escrow emitted an event. True if:
 *
 * - the block's bloom may hold a watched Transfer, a SafeReceived log of a watched account, or an
 *   event of a watched escrow
 * - the block pays a watched account natively
 * - the block holds a claimed transaction
 */
export const isRelevantBlock = (block: Block, watch: WatchList, claims: Claims): boolean =>
  block.transactions.some(
    (transaction) => claims.has(transaction.hash) || paysNatively(block, transaction, watch),
  ) ||
  mayHoldTransfer(block.logsBloom, watch) ||
  mayHoldSafeReceived(block.logsBloom, watch) ||
  mayHoldEscrowEvent(block.logsBloom, watch)

/**
 * All payments to watched accounts in a block, in the block's order: Transfers of watched tokens,
 * values of successful transactions, and native payments by calls if the chain logs them
 * (EIP-7708). `returned` holds logged amounts that left the account again in the same transaction.
 * A payment to an escrow counts in full, because an event explains each payment of an escrow.
 *
 * @param receipts the block's proven receipts
 * @throws ChainError `transactions_unverified` if a native payment has no usable signature
 */
export const transfersIn = (
  block: Block,
  receipts: readonly Receipt[],
  watch: WatchList,
): Received => {
  const received: Received = { transfers: [], returned: [] }
  const nativeLogs = block.proof === 'transactions-root' && hasNativeLogs(block.number, watch)
  receipts.forEach((receipt, index) => {
    if (!receipt.succeeded) return
    const arrived = arrivedIn(block, block.transactions[index], receipt, watch, nativeLogs)
    if (arrived.length === 0) return
    const isToEscrow = ({ recipient }: Transfer) => watch.escrows?.has(recipient) === true
    const plain = arrived.filter((transfer) => !isToEscrow(transfer))
    const { transfers, returned } = keepNet(plain, outsIn(receipt, plain, nativeLogs))
    received.transfers.push(...arrived.filter(isToEscrow), ...transfers)
    received.returned.push(...returned)
  })
  return received
}

/** One transaction's payments to watched accounts, except payments of an account to itself. */
const arrivedIn = (
  block: Block,
  transaction: ChainTransaction | undefined,
  receipt: Receipt,
  watch: WatchList,
  nativeLogs: boolean,
): Transfer[] => {
  const arrived: Transfer[] = []
  if (transaction?.to && paysNatively(block, transaction, watch)) {
    arrived.push({
      txHash: transaction.hash,
      position: NATIVE_POSITION,
      sender: recoverSender(transaction),
      recipient: transaction.to,
      token: null,
      amount: transaction.value,
    })
  }
  if (nativeLogs && transaction) arrived.push(...internalTransfersIn(transaction, receipt, watch))
  receipt.logs.forEach((log, position) => {
    if (!watch.tokens.has(log.address)) return
    const transfer = readTransferLog(log)
    if (!transfer || !watch.accounts.has(transfer.recipient)) return
    arrived.push({ txHash: receipt.txHash, position, token: log.address, ...transfer })
  })
  return arrived.filter(({ sender, recipient }) => sender !== recipient)
}

export const outcomesOf = (
  block: Block,
  receipts: readonly Receipt[],
  claims: Claims,
  watch: WatchList,
): ClaimOutcome[] =>
  receipts.flatMap(({ txHash, succeeded, logs }) => {
    if (!claims.has(txHash)) return []
    const recipients = logs.flatMap((log) => {
      if (watch.tokens.has(log.address) || log.address === NATIVE_LOG_ADDRESS) return []
      const recipient = readTransferLog(log)?.recipient
      return recipient !== undefined && watch.accounts.has(recipient) ? [recipient] : []
    })
    return {
      txHash,
      reverted: !succeeded,
      unknownTokenRecipients: [...new Set(recipients)],
      valueUnproven: block.proof !== 'transactions-root',
    }
  })

const paysNatively = (block: Block, { to, value }: ChainTransaction, watch: WatchList): boolean =>
  block.proof === 'transactions-root' && value > 0n && to !== null && watch.accounts.has(to)
