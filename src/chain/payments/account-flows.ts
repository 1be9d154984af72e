import { NATIVE_ASSET } from '../../kernel/escrow-event.ts'
import { netOf } from '../../verifier/kept.ts'
import { recoverSender } from '../encoding/sender.ts'
import { transactionType } from '../encoding/transaction.ts'
import { type RpcObject, readArray, readBigInt } from '../rpc/read.ts'
import type { Block, ChainTransaction, Receipt, WatchList } from '../types.ts'
import { escrowEventsIn } from './escrow-events.ts'
import { type AssetMove, movesIn } from './keep-net.ts'
import { hasNativeLogs } from './native-log.ts'

/**
 * An amount that left a watched account, including gas. A negative amount came in. `token` is null
 * for the native currency. `proven` is false if the block does not prove a part of the fee.
 */
type Outflow = {
  txHash: string
  account: string
  token: string | null
  amount: bigint
  proven: boolean
}

/**
 * Whether a watched account may have sent one of the block's transactions. A node can hide a
 * sender, because `from` has no proof, but then the account's proven balance shows the difference.
 */
export const mayPayOut = (block: Block, watch: WatchList): boolean =>
  block.transactions.some(({ raw }) => isWatchedSender(raw, watch))

/**
 * The outflows of watched accounts in a block: Transfers of watched tokens, and value and gas of
 * transactions that these accounts sent. Native payments by contract code count only if the chain
 * logs them (EIP-7708). Without the proof `transactions-root`, only logged outflows count.
 *
 * @throws ChainError `transactions_unverified` if a transaction has no usable signature
 */
export const outflowsIn = (
  block: Block,
  receipts: readonly Receipt[],
  watch: WatchList,
): Outflow[] => {
  const outflows: Outflow[] = []
  const nativeLogs = hasNativeLogs(block.number, watch)
  const proven = block.proof === 'transactions-root'
  receipts.forEach((receipt, index) => {
    const transaction = block.transactions[index]
    const txHash = receipt.txHash
    if (proven && transaction && isWatchedSender(transaction.raw, watch)) {
      const account = recoverSender(transaction)
      if (watch.accounts.has(account)) {
        const paid = feePaidBy(block, transaction, receipt)
        const sent = nativeLogs ? 0n : sentValue(transaction, receipt, account)
        outflows.push({ txHash, account, token: null, ...paid, amount: paid.amount + sent })
      }
    }
    if (receipt.succeeded) outflows.push(...loggedOutflows(receipt, watch, nativeLogs))
  })
  return outflows
}

/**
 * Each watched account's net outflow that logs show. Leaves out amounts that the account received
 * and passed on in the same transaction, because `keepNet` does not count these either. For an
 * escrow, all that it received counts, so all that it paid counts too.
 */
const loggedOutflows = (receipt: Receipt, watch: WatchList, nativeLogs: boolean): Outflow[] => {
  const { txHash, logs } = receipt
  const isWatched = (token: string | null) => token === null || watch.tokens.has(token)
  const moves = movesIn(logs, isWatched, nativeLogs)
  const paying = moves.filter(({ sender }) => watch.accounts.has(sender))
  const payers = new Map(paying.map((move) => [`${move.token} ${move.sender}`, move]))
  const logged = [...payers.values()].flatMap(({ token, sender: account }) => {
    const isEscrow = watch.escrows?.has(account) === true
    const counts = (move: AssetMove) =>
      move.token === token && (!isEscrow || move.sender === account)
    const amount = -netOf(moves.filter(counts), account)
    return amount > 0n ? [{ txHash, account, token, amount, proven: true }] : []
  })
  return nativeLogs ? logged : [...logged, ...nativeReturns(receipt, watch)]
}

/** The native coin that escrows gave back. No other log shows it before EIP-7708. */
const nativeReturns = (receipt: Receipt, watch: WatchList): Outflow[] =>
  escrowEventsIn([receipt], watch).flatMap(({ kind, fields, account, txHash }) =>
    kind === 'TransferReturned' && fields.asset === NATIVE_ASSET
      ? [{ txHash, account, token: null, amount: BigInt(fields.amount), proven: true }]
      : [],
  )

const isWatchedSender = (raw: RpcObject | null, { accounts }: WatchList): boolean =>
  typeof raw?.from === 'string' && accounts.has(raw.from.toLowerCase())

const BLOB = 3
/** EIP-7702: the highest transaction type with a signed fee cap and a signed tip. */
const SET_CODE = 4
const DEPOSIT = 0x7e
const ARBITRUM_DEPOSIT = 0x64
/** EIP-4844: the gas of one blob. */
const GAS_PER_BLOB = 131_072n

/** The value that a transaction moved away from its sender. */
const sentValue = ({ to, value }: ChainTransaction, receipt: Receipt, account: string): bigint =>
  receipt.succeeded && to !== account ? value : 0n

/** The fee that the sender paid, in wei. `proven` is false if no root proves the whole fee. */
export const feePaidBy = (
  block: Block,
  { raw, value }: ChainTransaction,
  receipt: Receipt,
): { amount: bigint; proven: boolean } => {
  if (raw === null) return { amount: 0n, proven: false }
  const type = transactionType(raw)
  if (type === DEPOSIT) {
    // The sender of a deposit pays no gas and gets `mint` even if the call fails (Optimism specs).
    const minted = raw.mint === undefined || raw.mint === null ? 0n : readBigInt(raw.mint, 'mint')
    return { amount: -minted, proven: true }
  }
  // The sender of a deposit first gets its value, and pays no gas (Nitro, tx_processor.go).
  if (type === ARBITRUM_DEPOSIT) return { amount: -value, proven: true }
  const { price, proven } = gasPrice(block, raw, type)
  const gas = BigInt(receipt.gasUsed ?? 0) * price
  const blobs = type === BLOB ? blobFee(raw, receipt) : 0n
  const rollup = (receipt.l1Fee ?? 0n) + (receipt.operatorFee ?? 0n)
  const isProven = proven && receipt.gasUsed !== undefined && type !== BLOB && rollup === 0n
  return { amount: gas + blobs + rollup, proven: isProven }
}

/**
 * The price of one gas:
 * - types 0 and 1: the signed price
 * - types 2 to 4 (EIP-1559): base fee plus tip, at most the fee cap
 * - a rollup's own types: the base fee, as an estimate that no root proves
 */
const gasPrice = (
  { baseFeePerGas }: Block,
  raw: RpcObject,
  type: number,
): { price: bigint; proven: boolean } => {
  if (type < 2) return { price: readBigInt(raw.gasPrice, 'gas price'), proven: true }
  if (type > SET_CODE) return { price: baseFeePerGas ?? 0n, proven: false }
  const cap = readBigInt(raw.maxFeePerGas, 'fee cap')
  if (baseFeePerGas === undefined) return { price: cap, proven: false }
  const tip = readBigInt(raw.maxPriorityFeePerGas, 'tip')
  return { price: cap < baseFeePerGas + tip ? cap : baseFeePerGas + tip, proven: true }
}

const blobFee = (raw: RpcObject, { blobGasPrice }: Receipt): bigint =>
  BigInt(readArray(raw.blobVersionedHashes, 'blobs').length) * GAS_PER_BLOB * (blobGasPrice ?? 0n)
