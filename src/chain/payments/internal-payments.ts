import { internalPosition } from '../../kernel/log-position.ts'
import { type AccountState, EMPTY_CODE_HASH } from '../../verifier/trie.ts'
import { isSentBy, recoverSender } from '../encoding/sender.ts'
import { transactionType } from '../encoding/transaction.ts'
import { readBigInt } from '../rpc/read.ts'
import { paidOutIn, paymentsIn } from '../state/call-trace.ts'
import type {
  Block,
  CallFrame,
  ChainTransaction,
  Claims,
  Hash,
  Receipt,
  Transfer,
  WatchList,
} from '../types.ts'
import { type AssetMove, keepNet, type Received } from './keep-net.ts'
import { hasNativeLogs } from './native-log.ts'
import { executorsIn, readSafeReceived } from './safe-received.ts'

/** Watched accounts that calls may have paid in a block, each with the claimed ones of the transactions. */
export type Leads = Map<string, Set<Hash>>

/** A state of an account before and after a block, both proven. */
export type Change = { before: AccountState; after: AccountState }

/**
 * Where native payments by calls may hide in a block whose receipts are proven: a claimed
 * transaction that succeeded and paid an account that it is claimed for nothing that can be seen,
 * or the word of a watched account (SafeReceived) that it was paid more than can be seen. Empty
 * for nearly every block. Where the chain logs such payments (EIP-7708) nothing hides.
 *
 * @param paid the transfers that were seen in the block
 */
export const leadsIn = (
  block: Block,
  receipts: readonly Receipt[],
  claims: Claims,
  watch: WatchList,
  paid: readonly Transfer[],
): Leads => {
  const leads: Leads = new Map()
  if (block.proof !== 'transactions-root' || hasNativeLogs(block.number, watch)) return leads
  const claimedFor = (account: string): Set<Hash> => {
    const known = leads.get(account) ?? new Set()
    leads.set(account, known)
    return known
  }
  receipts.forEach((receipt, index) => {
    if (!receipt.succeeded) return
    for (const account of claims.get?.(receipt.txHash) ?? []) {
      const seen = paid.some((one) => one.txHash === receipt.txHash && one.recipient === account)
      if (!seen) claimedFor(account).add(receipt.txHash)
    }
    const told = receivedBy(block.transactions[index], receipt)
    for (const { account } of told) if (watch.accounts.has(account)) claimedFor(account)
  })
  return leads
}

/**
 * By how much calls raised an account's balance in a block, less what calls took from it: its whole
 * change, less what transactions paid it directly, and with what its own transactions cost put
 * back. Null where that cannot be said, as of a fee that the block does not prove.
 */
export const netRiseByCalls = (
  block: Block,
  receipts: readonly Receipt[],
  account: string,
  { before, after }: Change,
): bigint | null => {
  if (block.proof !== 'transactions-root') return null
  const nonces = { first: before.nonce, end: after.nonce }
  let rise = after.balance - before.balance
  let sent = 0n
  for (const [index, transaction] of block.transactions.entries()) {
    const receipt = receipts[index]
    if (!receipt) return null
    const value = receipt.succeeded ? transaction.value : 0n
    if (!isSentBy(transaction, account, nonces)) {
      if (transaction.to === account) rise -= value
      continue
    }
    const fee = feeOf(block, transaction, receipt)
    if (fee === null) return null
    sent += 1n
    rise += fee + (transaction.to === account ? 0n : value)
  }
  // An account with code may also create contracts, and sign authorizations (EIP-7702).
  const unexplained = after.nonce - before.nonce !== sent
  return unexplained && isCodeless({ before, after }) ? null : rise
}

/** Nothing can leave an account without code but by transactions that it signed. */
export const isCodeless = ({ before, after }: Change): boolean =>
  before.codeHash === EMPTY_CODE_HASH && after.codeHash === EMPTY_CODE_HASH

/** What calls paid the accounts, and what they took from one, as the traces of some transactions tell. */
export const tracedPayments = (
  traces: ReadonlyMap<Hash, CallFrame>,
  accounts: ReadonlySet<string>,
): Received => {
  const received: Received = { transfers: [], returned: [] }
  for (const [txHash, frame] of traces) {
    for (const { sender, recipient, amount, kept, index } of paymentsIn(frame, accounts)) {
      const place = { txHash, position: internalPosition(index), token: null, sender, recipient }
      if (kept > 0n) received.transfers.push({ ...place, amount: kept })
      if (kept < amount) received.returned.push({ ...place, amount: amount - kept })
    }
  }
  return received
}

export const tracedOutflow = (traces: ReadonlyMap<Hash, CallFrame>, account: string): bigint =>
  [...traces.values()].reduce((sum, frame) => sum + paidOutIn(frame, account), 0n)

/** What a transaction costs that runs no code: it pays nobody but its recipient. */
const PLAIN_TRANSFER_GAS = 21_000

/**
 * Whose payment a proven rise of an account's balance is, where no node has traces: that of the
 * account's own SafeReceived logs when they add up to it, else of the one transaction of the block
 * that ran code, should it tell of having run something for somebody, or be claimed. Null where there
 * are more or none: the money has arrived, but whose it is cannot be said, and whoever claims another
 * transaction of the block shall not have it.
 *
 * @param rise in wei, above 0
 */
export const attributeRise = (
  block: Block,
  receipts: readonly Receipt[],
  account: string,
  rise: bigint,
  claimed: ReadonlySet<Hash>,
): Received | null => {
  const payments = paymentsOfRise(block, receipts, account, rise, claimed)
  return payments && keepNet(payments, ownValues(block, account, payments))
}

/** What the account's own transactions among those of the payments carried away. */
const ownValues = (block: Block, account: string, payments: readonly Transfer[]): AssetMove[] => {
  const paying = new Set(payments.map((one) => one.txHash))
  return block.transactions.flatMap((transaction) => {
    const { hash, to, value, raw } = transaction
    if (!paying.has(hash) || value === 0n || to === account) return []
    const isOwn = raw !== null && recoverSender(transaction) === account
    return isOwn ? [{ token: null, sender: account, recipient: to ?? '', amount: value }] : []
  })
}

const paymentsOfRise = (
  block: Block,
  receipts: readonly Receipt[],
  account: string,
  rise: bigint,
  claimed: ReadonlySet<Hash>,
): Transfer[] | null => {
  const told: Transfer[] = []
  const suspects: { transaction: ChainTransaction; receipt: Receipt; tells: boolean }[] = []
  for (const [index, receipt] of receipts.entries()) {
    const transaction = block.transactions[index]
    if (!receipt.succeeded || !transaction) continue
    const logs = receivedBy(transaction, receipt).filter((one) => one.account === account)
    logs.forEach(({ sender, amount }, k) => {
      const place = { txHash: receipt.txHash, position: internalPosition(k), token: null }
      told.push({ ...place, sender, recipient: account, amount })
    })
    const tells = logs.length > 0 || claimed.has(receipt.txHash) || executorsIn(receipt).size > 0
    if (tells || receipt.gasUsed !== PLAIN_TRANSFER_GAS) {
      suspects.push({ transaction, receipt, tells })
    }
  }
  if (told.length > 0 && told.reduce((sum, one) => sum + one.amount, 0n) === rise) return told
  const [only, ...others] = suspects
  if (!only?.tells || others.length > 0) return null
  const { txHash } = only.receipt
  const place = { txHash, position: internalPosition(0), token: null }
  const sender = senderOf(only.transaction, only.receipt, told, account)
  return sender === null ? null : [{ ...place, sender, recipient: account, amount: rise }]
}

/** Whether an account's own logs tell of money in a transaction that it cannot be seen to carry. */
export const tellsOfPayment = (
  block: Block,
  receipts: readonly Receipt[],
  account: string,
): Set<Hash> =>
  new Set(
    receipts.flatMap((receipt, index) =>
      receipt.succeeded &&
      receivedBy(block.transactions[index], receipt).some((one) => one.account === account)
        ? [receipt.txHash]
        : [],
    ),
  )

/**
 * What accounts say they received in a transaction beyond the value that it carries itself: a Safe
 * logs that one too, and first.
 */
const receivedBy = (transaction: ChainTransaction | undefined, receipt: Receipt) => {
  const told = receipt.logs.flatMap((log) => readSafeReceived(log) ?? [])
  const own = told.findIndex(
    (one) => one.account === transaction?.to && one.amount === transaction.value,
  )
  return own < 0 ? told : told.toSpliced(own, 1)
}

/**
 * Who paid: whom the account names, else who alone had something run, else who signed. Null where
 * several had: whoever signed for them, as a bundler does, has not paid.
 */
const senderOf = (
  transaction: ChainTransaction,
  receipt: Receipt,
  told: readonly Transfer[],
  account: string,
): string | null => {
  const named = new Set(told.map((one) => one.sender))
  const executors = executorsIn(receipt)
  executors.delete(account)
  for (const senders of [named, executors]) {
    const [sender, ...others] = senders
    if (sender !== undefined) return others.length === 0 ? sender : null
  }
  return recoverSender(transaction)
}

/** What a transaction cost beside its value (EIP-1559), in wei; null where the block does not prove it. */
const feeOf = (block: Block, transaction: ChainTransaction, receipt: Receipt): bigint | null => {
  const { raw } = transaction
  if (raw === null || receipt.gasUsed === undefined) return null
  const gas = BigInt(receipt.gasUsed)
  switch (transactionType(raw)) {
    case 0:
    case 1:
      return gas * readBigInt(raw.gasPrice, 'gas price')
    case 2:
    case 4: {
      if (block.baseFeePerGas === undefined) return null
      const most = readBigInt(raw.maxFeePerGas, 'fee')
      const price = block.baseFeePerGas + readBigInt(raw.maxPriorityFeePerGas, 'fee')
      return gas * (price < most ? price : most)
    }
    default:
      return null
  }
}
