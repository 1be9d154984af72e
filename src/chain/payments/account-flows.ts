import { netOf } from '../../verifier/kept.ts'
import { recoverSender } from '../encoding/sender.ts'
import { transactionType } from '../encoding/transaction.ts'
import { type RpcObject, readArray, readBigInt } from '../rpc/read.ts'
import type { Block, ChainTransaction, Receipt, WatchList } from '../types.ts'
import { movesIn } from './keep-net.ts'
import { hasNativeLogs } from './native-log.ts'

/**
 * Money that left a watched account, or that it paid for gas; negative amounts came in. `token` is
 * null for the chain's own currency. `proven` is false where a part of a fee is only the node's word.
 */
export type Outflow = {
  txHash: string
  account: string
  token: string | null
  amount: bigint
  proven: boolean
}

/**
 * Whether a watched account may have sent one of the block's transactions. `from` is the node's
 * word: one that leaves a sender out makes the account's proven balance not add up.
 */
export const mayPayOut = (block: Block, watch: WatchList): boolean =>
  block.transactions.some(({ raw }) => isWatchedSender(raw, watch))

/**
 * What the transactions of a block took from watched accounts: Transfers of watched tokens by them,
 * the value of their own transactions, and the gas that these cost. What a contract's code pays out
 * natively leaves no trace in a receipt, and is not seen here unless the chain logs it (EIP-7708).
 * Without `transactions-root` only Transfers are proven, and nothing else is returned.
 *
 * @throws ChainError `transactions_unverified`
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
        const paid = paidBy(block, transaction, receipt)
        const sent = nativeLogs ? 0n : sentValue(transaction, receipt, account)
        outflows.push({ txHash, account, token: null, ...paid, amount: paid.amount + sent })
      }
    }
    if (receipt.succeeded) outflows.push(...loggedOutflows(receipt, watch, nativeLogs))
  })
  return outflows
}

/**
 * What logs show to have left each watched account beyond what the same transaction brought it: what
 * it passed on did not count as received either (see `keepNet`).
 */
const loggedOutflows = (
  { txHash, logs }: Receipt,
  watch: WatchList,
  nativeLogs: boolean,
): Outflow[] => {
  const isWatched = (token: string | null) => token === null || watch.tokens.has(token)
  const moves = movesIn(logs, isWatched, nativeLogs)
  const paying = moves.filter(({ sender }) => watch.accounts.has(sender))
  const payers = new Map(paying.map((move) => [`${move.token} ${move.sender}`, move]))
  return [...payers.values()].flatMap(({ token, sender: account }) => {
    const ofToken = moves.filter((move) => move.token === token)
    const amount = -netOf(ofToken, account)
    return amount > 0n ? [{ txHash, account, token, amount, proven: true }] : []
  })
}

const isWatchedSender = (raw: RpcObject | null, { accounts }: WatchList): boolean =>
  typeof raw?.from === 'string' && accounts.has(raw.from.toLowerCase())

const BLOB = 3
/** EIP-7702: the last type that a sender signs with a fee cap and a tip. */
const SET_CODE = 4
const DEPOSIT = 0x7e
const ARBITRUM_DEPOSIT = 0x64
/** EIP-4844: gas of one blob. */
const GAS_PER_BLOB = 131_072n

/** What the transaction itself carried away; where the chain logs that (EIP-7708) its logs say it. */
const sentValue = ({ to, value }: ChainTransaction, receipt: Receipt, account: string): bigint =>
  receipt.succeeded && to !== account ? value : 0n

/** What the sender of a transaction paid for it beside its value. */
const paidBy = (
  block: Block,
  { raw, value }: ChainTransaction,
  receipt: Receipt,
): { amount: bigint; proven: boolean } => {
  if (raw === null) return { amount: 0n, proven: false }
  const type = transactionType(raw)
  if (type === DEPOSIT) {
    // Optimism, "deposits": `mint` is added to the sender whatever becomes of the call; no gas is bought.
    const minted = raw.mint === undefined || raw.mint === null ? 0n : readBigInt(raw.mint, 'mint')
    return { amount: -minted, proven: true }
  }
  // Nitro, tx_processor.go: the value is minted to the sender first, and no gas is bought.
  if (type === ARBITRUM_DEPOSIT) return { amount: -value, proven: true }
  const { price, proven } = gasPrice(block, raw, type)
  const gas = BigInt(receipt.gasUsed ?? 0) * price
  const blobs = type === BLOB ? blobFee(raw, receipt) : 0n
  const rollup = receipt.l1Fee ?? 0n
  const isProven = proven && receipt.gasUsed !== undefined && type !== BLOB && rollup === 0n
  return { amount: gas + blobs + rollup, proven: isProven }
}

/**
 * EIP-1559: the base fee and the tip, at most the fee cap; before it, the price that was signed. Of
 * what a rollup puts into its blocks itself, no root covers the price: the base fee is a guess.
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
