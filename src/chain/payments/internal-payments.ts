import { internalPosition } from '../../kernel/formats/log-position.ts'
import { type AccountState, EMPTY_CODE_HASH } from '../../verifier/trie.ts'
import { isSentBy, recoverSender } from '../encoding/sender.ts'
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
import { feePaidBy } from './account-flows.ts'
import { type AssetMove, keepNet, type Received } from './keep-net.ts'
import { hasNativeLogs } from './native-log.ts'
import { executorsIn, readSafeReceived } from './safe-received.ts'

/** Watched accounts that calls may have paid, each with the transactions claimed for it. */
export type Leads = Map<string, Set<Hash>>

/** The proven states of an account before and after a block. */
export type Change = { before: AccountState; after: AccountState }

/**
 * Finds watched accounts that calls may have paid in a block. The result is empty for nearly every
 * block, and always if the chain logs native payments (EIP-7708). The signs of such a payment are:
 *
 * - a claimed transaction that succeeded without an observed payment to the claimed account
 * - a SafeReceived log of the account
 *
 * @param paid the transfers observed in the block
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
      const seen = paid.some(
        ({ txHash, recipient }) => txHash === receipt.txHash && recipient === account,
      )
      if (!seen) claimedFor(account).add(receipt.txHash)
    }
    for (const { account } of receivedBy(block.transactions[index], receipt)) {
      if (watch.accounts.has(account)) claimedFor(account)
    }
  })
  return leads
}

/**
 * The net increase of an account's balance by calls in a block. It is the whole change, minus
 * direct payments to the account, plus the costs of transactions that the account sent. Null if the
 * block does not prove these costs.
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
    const fee = feePaidBy(block, transaction, receipt)
    if (!fee.proven) return null
    sent += 1n
    rise += fee.amount + (transaction.to === account ? 0n : value)
  }
  // Only an account with code can raise its nonce without a transaction (EIP-7702, CREATE).
  const unexplained = after.nonce - before.nonce !== sent
  return unexplained && isCodeless({ before, after }) ? null : rise
}

/** Whether an account has no code, so that it pays only by transactions that it signed. */
export const isCodeless = ({ before, after }: Change): boolean =>
  before.codeHash === EMPTY_CODE_HASH && after.codeHash === EMPTY_CODE_HASH

/** Payments to the accounts by calls, read from the traces of transactions. */
export const tracedPayments = (
  traces: ReadonlyMap<Hash, CallFrame>,
  accounts: ReadonlySet<string>,
): Received => {
  const received: Received = { transfers: [], returned: [] }
  for (const [txHash, frame] of traces) {
    for (const { sender, recipient, amount, kept, index } of paymentsIn(frame, accounts)) {
      const base = { txHash, position: internalPosition(index), token: null, sender, recipient }
      if (kept > 0n) received.transfers.push({ ...base, amount: kept })
      if (kept < amount) received.returned.push({ ...base, amount: amount - kept })
    }
  }
  return received
}

export const tracedOutflow = (traces: ReadonlyMap<Hash, CallFrame>, account: string): bigint =>
  [...traces.values()].reduce((sum, frame) => sum + paidOutIn(frame, account), 0n)

/** The gas of a transaction that runs no code and so pays only its recipient. */
const PLAIN_TRANSFER_GAS = 21_000

/**
 * Attributes a proven balance increase to transactions, for blocks of which no node has traces:
 *
 * 1. to the account's SafeReceived logs, if they sum to the increase
 * 2. to the only transaction that ran code, if a donation or a log links it to a payment
 *
 * Returns null if several causes are possible, so that the money never goes to the wrong donor.
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

/** The values that the account itself sent in the transactions of these payments. */
const ownValues = (block: Block, account: string, payments: readonly Transfer[]): AssetMove[] => {
  const paying = new Set(payments.map(({ txHash }) => txHash))
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
  const logged: Transfer[] = []
  const suspects: { transaction: ChainTransaction; receipt: Receipt; isLead: boolean }[] = []
  for (const [index, receipt] of receipts.entries()) {
    const transaction = block.transactions[index]
    if (!receipt.succeeded || !transaction) continue
    const logs = receivedBy(transaction, receipt).filter((log) => log.account === account)
    logs.forEach(({ sender, amount }, k) => {
      const base = { txHash: receipt.txHash, position: internalPosition(k), token: null }
      logged.push({ ...base, sender, recipient: account, amount })
    })
    const isLead = logs.length > 0 || claimed.has(receipt.txHash) || executorsIn(receipt).size > 0
    if (isLead || receipt.gasUsed !== PLAIN_TRANSFER_GAS) {
      suspects.push({ transaction, receipt, isLead })
    }
  }
  const sum = logged.reduce((total, payment) => total + payment.amount, 0n)
  if (logged.length > 0 && sum === rise) return logged
  const [only, ...others] = suspects
  if (!only?.isLead || others.length > 0) return null
  const { txHash } = only.receipt
  const base = { txHash, position: internalPosition(0), token: null }
  const sender = senderOf(only.transaction, only.receipt, logged, account)
  return sender === null ? null : [{ ...base, sender, recipient: account, amount: rise }]
}

/** Successful transactions in which the account itself logs a payment by a call. */
export const transactionsLoggingPayment = (
  block: Block,
  receipts: readonly Receipt[],
  account: string,
): Set<Hash> =>
  new Set(
    receipts.flatMap((receipt, index) =>
      receipt.succeeded &&
      receivedBy(block.transactions[index], receipt).some((log) => log.account === account)
        ? [receipt.txHash]
        : [],
    ),
  )

/** The SafeReceived logs of a transaction, without the log of the transaction's own value. */
const receivedBy = (transaction: ChainTransaction | undefined, receipt: Receipt) => {
  const logs = receipt.logs.flatMap((log) => readSafeReceived(log) ?? [])
  const own = logs.findIndex(
    ({ account, amount }) => account === transaction?.to && amount === transaction.value,
  )
  return own < 0 ? logs : logs.toSpliced(own, 1)
}

/**
 * Finds the payer: the sender in the account's logs, otherwise the wallet whose operation ran,
 * otherwise the signer. Null if several senders or wallets are possible.
 */
const senderOf = (
  transaction: ChainTransaction,
  receipt: Receipt,
  logged: readonly Transfer[],
  account: string,
): string | null => {
  const named = new Set(logged.map(({ sender }) => sender))
  const executors = executorsIn(receipt)
  executors.delete(account)
  for (const senders of [named, executors]) {
    const [sender, ...others] = senders
    if (sender !== undefined) return others.length === 0 ? sender : null
  }
  return recoverSender(transaction)
}
