import type { EventFragment, LogDescription, Result } from 'ethers'
import type { EscrowEvent, EscrowFields } from '../kernel/escrow-event.ts'
import { ESCROW_EVENT_KINDS, ESCROW_FAILURES, type EscrowEventKind } from '../kernel/statuses.ts'
import { ESCROW_ABI } from './abi.ts'

export type { EscrowEvent } from '../kernel/escrow-event.ts'

/** The first topic of each event of an escrow, by the event's name in Solidity. */
export const ESCROW_TOPICS = Object.fromEntries(
  ESCROW_EVENT_KINDS.map((kind) => [kind, (ESCROW_ABI.getEvent(kind) as EventFragment).topicHash]),
) as Record<EscrowEventKind, string>

const TOPICS: ReadonlySet<string> = new Set(Object.values(ESCROW_TOPICS))

/** The part of a log that {@link readEscrowEvent} reads, in lower-case hex. */
type EscrowLog = { readonly topics: readonly string[]; readonly data: string }

/**
 * Reads the event in a log of an escrow. Returns null for other logs, also for a log that has an
 * event's topic but not its arguments. The caller checks that the log's address is an escrow.
 */
export const readEscrowEvent = (log: EscrowLog): EscrowEvent | null => {
  if (!TOPICS.has(log.topics[0] ?? '')) return null
  const parsed = parse(log)
  return parsed && eventOf(parsed.name as EscrowEventKind, parsed.args)
}

/** ethers throws if the data does not fit the event. */
const parse = (log: EscrowLog): LogDescription | null => {
  try {
    return ESCROW_ABI.parseLog(log)
  } catch {
    return null
  }
}

const text = (value: unknown): string => String(value).toLowerCase()

/** The positions of the bits that are 1, from the lowest. */
const positionsIn = (bitmap: unknown): number[] =>
  [...BigInt(bitmap as bigint).toString(2)]
    .toReversed()
    .flatMap((bit, position) => (bit === '1' ? [position] : []))

const safePosition = (value: unknown): number | null => {
  const position = Number(value)
  return Number.isSafeInteger(position) ? position : null
}

/** Each field has the name of its argument in Solidity. */
type FieldReaders<K extends EscrowEventKind> = {
  [Name in keyof EscrowFields[K]]: (argument: unknown) => EscrowFields[K][Name] | undefined
}

const READERS: { [K in EscrowEventKind]: FieldReaders<K> } = {
  Donated: { donor: text, payer: text, amount: text },
  Activated: { balance: text },
  MilestoneRejected: { milestone: Number, round: Number, verifier: text, evidenceHash: text },
  MilestoneReleased: {
    milestone: Number,
    recipient: text,
    asset: text,
    amount: text,
    evidenceHash: text,
    signers: positionsIn,
  },
  SurplusReleased: { recipient: text, asset: text, amount: text },
  Failed: {
    reason: (reason) => ESCROW_FAILURES[Number(reason)],
    pool: text,
    total: text,
    recorded: text,
    reasonHash: text,
  },
  Refunded: { donor: text, asset: text, amount: text },
  TransferReturned: {
    receiver: text,
    asset: text,
    amount: text,
    transaction: text,
    position: safePosition,
  },
}

/** Null if an argument has a value that this version does not know. */
const eventOf = (kind: EscrowEventKind, args: Result): EscrowEvent | null => {
  const fields = Object.entries(READERS[kind]).map(([name, read]) => [
    name,
    read(args.getValue(name)),
  ])
  if (fields.some(([, value]) => value === undefined)) return null
  // The cast is safe, because the readers of a kind make the fields of this kind.
  return { kind, fields: Object.fromEntries(fields) } as EscrowEvent
}
