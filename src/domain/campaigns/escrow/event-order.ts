import type { Part, Queryable } from '../../../db/client.ts'
import { ESCROW_EVENT_KINDS } from '../../../kernel/statuses.ts'

/**
 * SQL for a table named `event`: the order of an escrow's events on the chain. The index of a
 * transaction in its block is not stored, and `position` counts from 0 in each transaction. So the
 * states of the contract order the events of one block: it releases before it fails. Rejections
 * have a round.
 */
export const eventOrder = (sql: Queryable): Part => sql`
  event.block_number, array_position(${[...ESCROW_EVENT_KINDS]}::text[], event.kind),
  (event.fields ->> 'round')::numeric,
  event.tx_hash, event.position`
