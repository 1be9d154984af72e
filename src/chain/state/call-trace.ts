import { countKept } from '../../verifier/kept.ts'
import { ChainError } from '../errors.ts'
import {
  type RpcObject,
  readAddress,
  readArray,
  readBigInt,
  readNumber,
  readObject,
} from '../rpc/read.ts'
import type { CallFrame } from '../types.ts'

/** A call's transfer of native currency. `own` marks the value of the transaction itself. */
type ValueMove = { from: string; to: string; amount: bigint; own: boolean }

/** A little more than the EVM's limit of 1 024 nested calls (Yellow Paper, 9.4). */
const MAX_DEPTH = 1_030
const MAX_FRAMES = 200_000

/**
 * Reads the trace of a transaction's calls: the tree of geth's `callTracer`
 * (`debug_traceTransaction`), or the flat list of `trace_transaction` (OpenEthereum, Erigon,
 * Nethermind, Reth, Besu). A trace carries no proof.
 *
 * @throws ChainError `bad_response` for any other format
 */
export const readCallTrace = (raw: unknown): CallFrame =>
  Array.isArray(raw) ? readFlatTrace(raw) : readTree(readObject(raw, 'trace'), 0)

/** All native transfers in execution order, without failed calls and the calls inside these. */
const valueMovesIn = (frame: CallFrame): ValueMove[] => {
  const moves: ValueMove[] = []
  const visit = (call: CallFrame) => {
    if (call.failed) return
    const { from, to, value } = call
    if (value > 0n && to !== null && to !== from)
      moves.push({ from, to, amount: value, own: call === frame })
    for (const inner of call.calls) visit(inner)
  }
  visit(frame)
  return moves
}

/**
 * A native payment by a call. `index` counts payments to the same recipient in the transaction,
 * from 0. Only `kept` counts, because the rest left the recipient in the same transaction.
 */
type InternalPayment = {
  sender: string
  recipient: string
  amount: bigint
  kept: bigint
  index: number
}

/** Payments to these accounts by calls of a transaction, without the transaction's own value. */
export const paymentsIn = (
  frame: CallFrame,
  recipients: ReadonlySet<string>,
): InternalPayment[] => {
  const moves = valueMovesIn(frame)
  const all = moves.map(({ from, to, amount }) => ({ sender: from, recipient: to, amount }))
  const seen = new Map<string, { count: number; kept: readonly bigint[] }>()
  const payments: InternalPayment[] = []
  for (const [at, { from, to, amount, own }] of moves.entries()) {
    if (own || !recipients.has(to)) continue
    const before = seen.get(to) ?? { count: 0, kept: countKept(all, to) }
    seen.set(to, { ...before, count: before.count + 1 })
    const kept = before.kept[at] ?? 0n
    payments.push({ sender: from, recipient: to, amount, kept, index: before.count })
  }
  return payments
}

/** The sum that calls moved away from an account, without the transaction's own value. */
export const paidOutIn = (frame: CallFrame, account: string): bigint =>
  valueMovesIn(frame).reduce(
    (sum, move) => (move.from === account && !move.own ? sum + move.amount : sum),
    0n,
  )

/** A key that is equal for traces with equal transfers, in either format of a trace. */
export const traceKey = (frame: CallFrame): string =>
  valueMovesIn(frame)
    .map(({ from, to, amount, own }) => `${own ? 'own' : 'in'} ${from} ${to} ${amount}`)
    .join('\n')

const MOVING = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT', 'SUICIDE'])

const readTree = (raw: RpcObject, depth: number): CallFrame => {
  if (depth > MAX_DEPTH || typeof raw.type !== 'string') throw malformed()
  const type = raw.type.toUpperCase()
  const calls = raw.calls === undefined || raw.calls === null ? [] : readArray(raw.calls, 'calls')
  return {
    from: readAddress(raw.from, "call's sender"),
    to: addressOrNull(raw.to),
    value: MOVING.has(type) && hasValue(raw.value) ? readBigInt(raw.value, "call's value") : 0n,
    failed: typeof raw.error === 'string' && raw.error !== '',
    calls: calls.map((call) => readTree(readObject(call, 'call'), depth + 1)),
  }
}

/** Builds the tree of calls from a list in execution order, by each call's path `traceAddress`. */
const readFlatTrace = (entries: readonly unknown[]): CallFrame => {
  if (entries.length > MAX_FRAMES) throw malformed()
  let root: CallFrame | undefined
  for (const item of entries) {
    const entry = readObject(item, 'trace')
    // A reward belongs to the block, not to a transaction.
    if (entry.type === 'reward') continue
    const frame = readFlatEntry(entry)
    const path = readArray(entry.traceAddress, 'trace address')
    if (path.length > MAX_DEPTH) throw malformed()
    if (path.length === 0) {
      if (root !== undefined) throw malformed()
      root = frame
      continue
    }
    let parent = root
    for (const index of path.slice(0, -1)) parent = parent?.calls[indexOf(index)]
    // The list is in execution order, so each entry is its parent's next child.
    if (parent === undefined || parent.calls.length !== indexOf(path.at(-1))) throw malformed()
    parent.calls.push(frame)
  }
  if (root === undefined) throw malformed()
  return root
}

const readFlatEntry = (entry: RpcObject): CallFrame => {
  const action = readObject(entry.action, "trace's action")
  const base = { failed: typeof entry.error === 'string' && entry.error !== '', calls: [] }
  switch (entry.type) {
    case 'call': {
      const moves = action.callType === undefined || action.callType === 'call'
      return {
        ...base,
        from: readAddress(action.from, "call's sender"),
        to: addressOrNull(action.to),
        value: moves && hasValue(action.value) ? readBigInt(action.value, "call's value") : 0n,
      }
    }
    case 'create': {
      const result = base.failed ? undefined : readObject(entry.result, "trace's result")
      return {
        ...base,
        from: readAddress(action.from, "call's sender"),
        to: addressOrNull(result?.address),
        value: hasValue(action.value) ? readBigInt(action.value, "call's value") : 0n,
      }
    }
    case 'suicide':
    case 'selfdestruct':
      return {
        ...base,
        from: readAddress(action.address, "call's sender"),
        to: addressOrNull(action.refundAddress),
        value: readBigInt(action.balance, "call's value"),
      }
    default:
      throw malformed()
  }
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null

const addressOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : readAddress(value, "call's recipient")

const indexOf = (value: unknown): number => {
  const index = typeof value === 'string' ? readNumber(value, 'trace address') : value
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) throw malformed()
  return index
}

const malformed = () => new ChainError('bad_response', "The node's trace has an unknown format.")
