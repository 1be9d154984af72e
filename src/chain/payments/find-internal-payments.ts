import type { Log } from '../../kernel/log.ts'
import type { AccountState } from '../../verifier/trie.ts'
import { ChainError } from '../errors.ts'
import type { Block, CallFrame, Hash, Header, Receipt, Transfer } from '../types.ts'
import {
  attributeRise,
  type Change,
  isCodeless,
  type Leads,
  netRiseByCalls,
  tellsOfPayment,
  tracedOutflow,
  tracedPayments,
} from './internal-payments.ts'
import type { Received } from './keep-net.ts'

/** What a chain's nodes are asked for, to find native payments by calls. */
export type InternalSource = {
  headers(numbers: readonly number[]): Promise<(Header | null)[]>
  accountProofs(block: Header, accounts: readonly string[]): Promise<(AccountState | null)[]>
  callTraces(txHashes: readonly Hash[], options: { agreed: true }): Promise<(CallFrame | null)[]>
}

export type InternalSearch = {
  block: Block
  receipts: readonly Receipt[]
  /** Every account whose payments in a traced transaction count. */
  watched: ReadonlySet<string>
  leads: Leads
  /** Suspect every transaction of the block: the balance is known to have risen. */
  everywhere?: boolean
  log?: Log | undefined
}

export type InternalTransfer = Transfer & { source: 'trace' | 'balance' }

/**
 * `returned`: what of it left the account again in its transaction, and does not count. `unproven`:
 * transactions that may have paid, without anybody being able to show it.
 */
export type InternalFinding = {
  transfers: InternalTransfer[]
  returned: Transfer[]
  unproven: Set<Hash>
}

/** No block of a public chain holds more that run code. */
const MAX_TRACED = 2_000

/**
 * Finds what calls within transactions paid watched accounts in a block. A trace carries no proof, so
 * a quorum of nodes must tell the same, and what they tell counts only where the account's balance,
 * proven before and after the block, changed by exactly that: a proof says how much, and never who
 * paid. Without such traces a proven rise is attributed where only one transaction can have caused
 * it. Without proofs (old state is pruned), or where what came in went out again in the same block,
 * the agreed traces count alone.
 */
export const findInternalPayments = async (
  source: InternalSource,
  search: InternalSearch,
): Promise<InternalFinding> => {
  const { block, receipts, leads } = search
  const risen = await createRises(source, search, [...leads.keys()])
  // Proven: nobody paid an account without code whose balance calls did not raise.
  const open = new Map([...leads].filter(([account]) => !risen.isStill(account)))
  if (open.size === 0) return emptyFinding()
  const suspects = search.everywhere
    ? succeeded(receipts)
    : new Set([...open.keys()].flatMap((account) => [...suspectsOf(search, account)]))
  const traces = await tracesOf(source, search, suspects)
  return traces
    ? byTraces(source, { ...search, leads: open }, risen, traces)
    : byBalances({ block, receipts, leads: open }, risen)
}

export const emptyFinding = (): InternalFinding => ({
  transfers: [],
  returned: [],
  unproven: new Set(),
})

type Rises = {
  /** Proves further accounts. */
  add(accounts: readonly string[]): Promise<void>
  isStill(account: string): boolean
  /** By how much calls raised it; null where that is not known. */
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
    const proven = await unlessRefused(log, () => provenChanges(source, block, fresh))
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
    throw new ChainError('block_missing', `The parent of block ${block.number} is not there.`)
  }
  const before = await source.accountProofs(parent, accounts)
  const after = await source.accountProofs(block, accounts)
  return accounts.map((_, index) => {
    const [one, other] = [before[index], after[index]]
    return one && other ? { before: one, after: other } : null
  })
}

type Traces = ReadonlyMap<Hash, CallFrame>

/** Null where too few nodes have one of them: half of what happened explains nothing. */
const tracesOf = async (
  source: InternalSource,
  { log }: InternalSearch,
  txHashes: ReadonlySet<Hash>,
): Promise<Map<Hash, CallFrame> | null> => {
  if (txHashes.size > MAX_TRACED) return null
  const hashes = [...txHashes]
  const frames =
    hashes.length === 0
      ? []
      : await unlessRefused(log, () => source.callTraces(hashes, { agreed: true }))
  if (!frames) return null
  const traces = new Map<Hash, CallFrame>()
  for (const [index, hash] of hashes.entries()) {
    const frame = frames[index]
    if (!frame) return null
    traces.set(hash, frame)
  }
  return traces
}

/**
 * An account whose change the suspects do not explain has all transactions of the block traced. It
 * may then have risen by more, as by a withdrawal of a validator: what was paid has arrived all the
 * same, and the rest is for the comparison of balances. Nothing is said to have paid nothing then.
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
  const accept = ({ payments }: Told) => add(finding, payments, 'trace')
  const open: string[] = []
  for (const account of accounts) {
    const told = tellOf(traces, account)
    if (told.paidOut === 0n && rises.of(account) === told.paidIn) accept(told)
    else open.push(account)
  }
  if (open.length === 0) return finding
  const all = await tracesOf(source, search, succeeded(search.receipts))
  for (const account of open) {
    const rise = rises.of(account)
    const told = tellOf(all ?? new Map(), account)
    const added = told.paidIn - told.paidOut
    if (all && (rise === null || rise >= added)) accept(told)
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
  finding.transfers.push(...transfers.map((one) => ({ ...one, source })))
  finding.returned.push(...returned)
}

/** `paidIn`: whether it counts or was returned. */
type Told = { payments: Received; paidIn: bigint; paidOut: bigint }

const tellOf = (traces: Traces, account: string): Told => {
  const payments = tracedPayments(traces, new Set([account]))
  const paidIn = sumOf(payments)
  return { payments, paidIn, paidOut: tracedOutflow(traces, account) }
}

/** What calls paid, whether it counts or was returned. */
export const sumOf = ({ transfers, returned }: Received): bigint =>
  [...transfers, ...returned].reduce((sum, one) => sum + one.amount, 0n)

const byBalances = (
  search: Pick<InternalSearch, 'block' | 'receipts' | 'leads'>,
  rises: Rises,
): InternalFinding => {
  const { block, receipts, leads } = search
  const finding = emptyFinding()
  const doubt = (txHashes: ReadonlySet<Hash>) => {
    for (const txHash of txHashes) finding.unproven.add(txHash)
  }
  for (const [account, claimed] of leads) {
    const rise = rises.of(account)
    const payments =
      rise !== null && rise > 0n && attributeRise(block, receipts, account, rise, claimed)
    if (payments) add(finding, payments, 'balance')
    else if (rise !== null && rise <= 0n) {
      // It may have paid out in the same block what it says it received.
      doubt(tellsOfPayment(block, receipts, account))
    } else {
      doubt(suspectsOf(search, account))
    }
  }
  return finding
}

/** The transactions of the block that are claimed to have paid the account, or that its logs name. */
const suspectsOf = (
  { block, receipts, leads }: Pick<InternalSearch, 'block' | 'receipts' | 'leads'>,
  account: string,
): Set<Hash> =>
  new Set([...(leads.get(account) ?? []), ...tellsOfPayment(block, receipts, account)])

const succeeded = (receipts: readonly Receipt[]): Set<Hash> =>
  new Set(receipts.filter((receipt) => receipt.succeeded).map((receipt) => receipt.txHash))

/** Old state and traces are what many nodes do not have: that must not hold up a chain. */
const unlessRefused = async <T>(log: Log | undefined, ask: () => Promise<T>): Promise<T | null> => {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    log?.warn({ code: error.code }, `a payment by calls could not be looked into: ${error.message}`)
    return null
  }
}
