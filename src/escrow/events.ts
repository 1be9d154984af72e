import type { EventFragment, LogDescription, Result } from 'ethers'
import type { EscrowEvent } from '../kernel/escrow-event.ts'
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

const eventOf = (kind: EscrowEventKind, args: Result): EscrowEvent | null => {
  const text = (name: string): string => String(args.getValue(name)).toLowerCase()
  const count = (name: string): number => Number(args.getValue(name))
  switch (kind) {
    case 'Donated':
      return {
        kind,
        fields: { donor: text('donor'), payer: text('payer'), amount: text('amount') },
      }
    case 'Activated':
      return { kind, fields: { balance: text('balance') } }
    case 'MilestoneRejected':
      return {
        kind,
        fields: {
          milestone: count('milestone'),
          round: count('round'),
          verifier: text('verifier'),
          evidenceHash: text('evidenceHash'),
        },
      }
    case 'MilestoneReleased':
      return {
        kind,
        fields: {
          milestone: count('milestone'),
          recipient: text('recipient'),
          asset: text('asset'),
          amount: text('amount'),
          evidenceHash: text('evidenceHash'),
          signers: positionsIn(args.getValue('signers') as bigint),
        },
      }
    case 'SurplusReleased':
      return {
        kind,
        fields: { recipient: text('recipient'), asset: text('asset'), amount: text('amount') },
      }
    case 'Failed': {
      const reason = ESCROW_FAILURES[count('reason')]
      if (!reason) return null
      return {
        kind,
        fields: {
          reason,
          pool: text('pool'),
          total: text('total'),
          recorded: text('recorded'),
          reasonHash: text('reasonHash'),
        },
      }
    }
    case 'Refunded':
      return {
        kind,
        fields: { donor: text('donor'), asset: text('asset'), amount: text('amount') },
      }
    case 'TransferReturned': {
      const position = count('position')
      return {
        kind,
        fields: {
          receiver: text('receiver'),
          asset: text('asset'),
          amount: text('amount'),
          transaction: text('transaction'),
          position: Number.isSafeInteger(position) ? position : null,
        },
      }
    }
  }
}

/** The positions of the bits that are 1, from the lowest. */
const positionsIn = (bitmap: bigint): number[] =>
  [...bitmap.toString(2)].toReversed().flatMap((bit, position) => (bit === '1' ? [position] : []))
