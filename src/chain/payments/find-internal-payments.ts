import type { Log } from '../../kernel/ports/log.ts'
import type { AccountState } from '../../verifier/trie.ts'
import { ChainError } from '../errors.ts'
import type { Block, CallFrame, Hash, Header, Receipt, Transfer } from '../types.ts'
import {
  attributeRise,
  type Change,
  isCodeless,
  type Leads,
  netRiseByCalls,
  tracedOutflow,
  tracedPayments,
  transactionsLoggingPayment,
} from './internal-payments.ts'
import type { Received } from './keep-net.ts'

/** The part of ChainClient with which internal payments are found. */
export type InternalSource = {
  headers(numbers: readonly number[]): Promise<(Header | null)[]>
  accountProofs(block: Header, accounts: readonly string[]): Promise<(AccountState | null)[]>
  callTraces(txHashes: readonly Hash[], options: { agreed: boolean }): Promise<(CallFrame | null)[]>
}

type InternalSearch = {
  block: Block
  receipts: readonly Receipt[]
  /** A payment to one of these accounts counts if a trace shows the payment. */
  watched: ReadonlySet<string>
  leads: Leads
  /** Whether to trace the whole block, because a watched balance is known to have increased. */
  everywhere?: boolean
  log?: Log | undefined
}

type InternalTransfer = Transfer & { source: 'trace' | 'balance' }

/**
 * `returned` holds amounts that left the account again in the same transaction and do not count.
 * `unproven` holds transactions that may have paid a watched account, but without a proof.
 */
export type InternalFinding = {
  transfers: InternalTransfer[]
  returned: Transfer[]
  unproven: Set<Hash>
}

/** At most this number of transactions are traced. No block of a public chain holds as many. */
const MAX_TRACED = 2_000

/**
 * Finds payments to watched accounts by contract calls within a block's transactions.
 *
 * 1. Traces count if a quorum agrees on them and they explain the proven change of the balance.
 * 2. Without traces, a proven increase counts if only one transaction can have caused it.
 * 3. Without balance proofs (pruned state), agreed traces count without a check of the balance.
 */
export const findInternalPayments = async (
  source: InternalSource,
  search: InternalSearch,
): Promise<InternalFinding> => {
  const { block, receipts, leads } = search
  const rises = await createRises(source, search, [...leads.keys()])
  // No call paid an account that has no code and whose balance did not rise by calls.
  const open = new Map([...leads].filter(([account]) => !rises.isStill(account)))
  if (open.size === 0) return emptyFinding()
  const suspects = search.everywhere
    ? succeeded(receipts)
    : new Set([...open.keys()].flatMap((account) => [...suspectsOf(search, account)]))
  const traces = await agreedTracesOf(source, search, suspects)
  return traces
    ? byTraces(source, { ...search, leads: open }, rises, traces)
    : byBalances({ block, receipts, leads: open }, rises)
}

const emptyFinding = (): InternalFinding => ({
  transfers: [],
  returned: [],
  unproven: new Set(),
})

type Rises = {
  /** Reads the balances of those accounts whose balances are not known yet. */
  add(accounts: readonly string[]): Promise<void>
  isStill(account: string): boolean
  /** The increase of the account's balance by calls; null if unknown. */
  of(account: string): bigint | null
}

const createRises = async (
  source: InternalSource,
  { block, receipts, log }: InternalSearch,
  accounts: readonly string[],
): Promise<Rises> => {
  const changes = new Map<string, Change | null>()
  const rises = new Map<string, bigint | null>()
  const add = async (more: readonly string[]) => {
    const fresh = more.filter((account) => !changes.has(account))
    if (fresh.length === 0) return
    const proven = await nullOnError(log, () => provenChanges(source, block, fresh))
    fresh.forEach((account, index) => {
      const change = proven?.[index] ?? null
      changes.set(account, change)
      rises.set(account, change && netRiseByCalls(block, receipts, account, change))
    })
  }
  await add(accounts)
  return {
    add,
    isStill: (account) => {
      const change = changes.get(account)
      return change ? isCodeless(change) && rises.get(account) === 0n : false
    },
    of: (account) => rises.get(account) ?? null,
  }
}

const provenChanges = async (
  source: InternalSource,
  block: Block,
  accounts: readonly string[],
): Promise<(Change | null)[]> => {
  const [parent] = await source.headers([block.number - 1])
  if (!parent || parent.hash !== block.parentHash) {
    throw new ChainError('block_missing', `The parent of block ${block.number} is missing.`)
  }
  const before = await source.accountProofs(parent, accounts)
  const after = await source.accountProofs(block, accounts)
  return accounts.map((_, index) => {
    const [first, last] = [before[index], after[index]]
    return first && last ? { before: first, after: last } : null
  })
}

type Traces = ReadonlyMap<Hash, CallFrame>

/** The traces of all these transactions, or null if a trace is missing. */
export const tracesOf = async (
  source: Pick<InternalSource, 'callTraces'>,
  txHashes: readonly Hash[],
  options: { agreed: boolean },
): Promise<Map<Hash, CallFrame> | null> => {
  const frames = await source.callTraces(txHashes, options)
  const traces = txHashes.flatMap((hash, index): [Hash, CallFrame][] => {
    const frame = frames[index]
    return frame ? [[hash, frame]] : []
  })
  return traces.length === txHashes.length ? new Map(traces) : null
}

const agreedTracesOf = async (
  source: InternalSource,
  { log }: InternalSearch,
  txHashes: ReadonlySet<Hash>,
): Promise<Traces | null> =>
  txHashes.size > MAX_TRACED
    ? null
    : nullOnError(log, () => tracesOf(source, [...txHashes], { agreed: true }))

/**
 * Accepts traced payments that explain the change of an account's balance. If the payments do not
 * explain the change, traces the whole block. If the balance rose further (for example by a
 * withdrawal of a validator), other possible payments are marked as unproven.
 */
const byTraces = async (
  source: InternalSource,
  search: InternalSearch,
  rises: Rises,
  traces: Traces,
): Promise<InternalFinding> => {
  const accounts = new Set(search.leads.keys())
  const { transfers, returned } = tracedPayments(traces, search.watched)
  for (const payment of [...transfers, ...returned]) accounts.add(payment.recipient)
  await rises.add([...accounts])
  const finding = emptyFinding()
  const accept = ({ payments }: TracedFlows) => add(finding, payments, 'trace')
  const open: string[] = []
  for (const account of accounts) {
    const flows = flowsOf(traces, account)
    if (flows.paidOut === 0n && rises.of(account) === flows.paidIn) accept(flows)
    else open.push(account)
  }
  if (open.length === 0) return finding
  const all = await agreedTracesOf(source, search, succeeded(search.receipts))
  for (const account of open) {
    const rise = rises.of(account)
    const flows = flowsOf(all ?? new Map(), account)
    const added = flows.paidIn - flows.paidOut
    if (all && (rise === null || rise >= added)) accept(flows)
    if (all && (rise === null || rise === added)) continue
    for (const txHash of suspectsOf(search, account)) finding.unproven.add(txHash)
  }
  return finding
}

const add = (
  finding: InternalFinding,
  { transfers, returned }: Received,
  source: InternalTransfer['source'],
): void => {
  finding.transfers.push(...transfers.map((transfer) => ({ ...transfer, source })))
  finding.returned.push(...returned)
}

/** `paidIn` includes amounts that left the account again. */
type TracedFlows = { payments: Received; paidIn: bigint; paidOut: bigint }

const flowsOf = (traces: Traces, account: string): TracedFlows => {
  const payments = tracedPayments(traces, new Set([account]))
  const paidIn = sumOf(payments)
  return { payments, paidIn, paidOut: tracedOutflow(traces, account) }
}

/** The sum of the payments, including amounts that left the account again. */
export const sumOf = ({ transfers, returned }: Received): bigint =>
  [...transfers, ...returned].reduce((sum, payment) => sum + payment.amount, 0n)

const byBalances = (
  search: Pick<InternalSearch, 'block' | 'receipts' | 'leads'>,
  rises: Rises,
): InternalFinding => {
  const { block, receipts, leads } = search
  const finding = emptyFinding()
  const markUnproven = (txHashes: ReadonlySet<Hash>) => {
    for (const txHash of txHashes) finding.unproven.add(txHash)
  }
  for (const [account, claimed] of leads) {
    const rise = rises.of(account)
    const payments =
      rise !== null && rise > 0n && attributeRise(block, receipts, account, rise, claimed)
    if (payments) add(finding, payments, 'balance')
    else if (rise !== null && rise <= 0n) {
      // The account may have received the logged amounts and paid them out in the same block.
      markUnproven(transactionsLoggingPayment(block, receipts, account))
    } else {
      markUnproven(suspectsOf(search, account))
    }
  }
  return finding
}

/** Transactions that paid the account according to a donation's claim or to the account's logs. */
const suspectsOf = (
  { block, receipts, leads }: Pick<InternalSearch, 'block' | 'receipts' | 'leads'>,
  account: string,
): Set<Hash> =>
  new Set([...(leads.get(account) ?? []), ...transactionsLoggingPayment(block, receipts, account)])

const succeeded = (receipts: readonly Receipt[]): Set<Hash> =>
  new Set(receipts.filter((receipt) => receipt.succeeded).map((receipt) => receipt.txHash))

/** Returns null after a ChainError, because nodes without old states must not stop the sync. */
const nullOnError = async <T>(log: Log | undefined, ask: () => Promise<T>): Promise<T | null> => {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    log?.warn({ code: error.code }, `internal payments could not be checked: ${error.message}`)
    return null
  }
}
