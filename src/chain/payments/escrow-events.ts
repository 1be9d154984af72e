import { readEscrowEvent } from '../../escrow/events.ts'
import type { EscrowEvent } from '../../kernel/escrow-event.ts'
import type { Receipt, WatchList } from '../types.ts'

/** An event that a watched escrow emitted. `position` is the log's index in its receipt. */
type EmittedEvent = EscrowEvent & { txHash: string; position: number; account: string }

/**
 * All events of watched escrows in a block, in the block's order. An event of another contract does
 * not count, even if it looks the same.
 *
 * @param receipts the block's proven receipts
 */
export const escrowEventsIn = (
  receipts: readonly Receipt[],
  { escrows }: WatchList,
): EmittedEvent[] => {
  if (!escrows || escrows.size === 0) return []
  return receipts.flatMap(({ txHash, succeeded, logs }) =>
    !succeeded
      ? []
      : logs.flatMap((log, position): EmittedEvent[] => {
          const event = escrows.has(log.address) ? readEscrowEvent(log) : null
          return event ? [{ ...event, txHash, position, account: log.address }] : []
        }),
  )
}
