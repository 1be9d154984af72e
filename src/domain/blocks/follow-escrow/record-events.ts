import type { Context } from '../../../db/context.ts'
import type { EscrowEvent } from '../../../kernel/escrow-event.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { hasOpened } from '../../books/index.ts'

/** An event of an escrow's account, in a block that is part of the chain. */
export type ObservedEscrowEvent = EscrowEvent & {
  txHash: string
  /** The index of the event's log in its receipt. */
  position: number
  /** The contract that emitted the event. */
  account: string
  blockNumber: number
  blockHash: string
  minedAt: Date
}

/**
 * Upserts events of escrows. An event that is mined again keeps its id and takes the new block.
 * Ignores events of accounts that are not the escrow of a campaign, and events that are stored in
 * a block already. The caller holds the lock of the chain's row.
 *
 * @returns the number of events that are new or mined again
 */
export const recordEscrowEvents = async (
  ctx: Context,
  chainId: number,
  events: readonly ObservedEscrowEvent[],
): Promise<number> => {
  if (events.length === 0) return 0
  const now = ctx.clock.now().getTime()
  const rows = events.map((event) => ({ ...event, id: newId(now) }))
  const stored = await ctx.sql<{ id: string }[]>`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
       block_hash, mined_at, counts)
    select row.id, ${chainId}, campaign.account, campaign.id, bytes_of(row."txHash"), row.position,
           row.kind, row.fields, row."blockNumber", bytes_of(row."blockHash"), row."minedAt", ${hasOpened(ctx.sql)}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, account text, "txHash" text, position int, kind text, fields jsonb,
              "blockNumber" bigint, "blockHash" text, "minedAt" timestamptz)
    join campaign on campaign.chain_id = ${chainId} and campaign.account = bytes_of(row.account)
    join campaign_escrow escrow on escrow.campaign_id = campaign.id
    on conflict (chain_id, tx_hash, position) do update
    set account = excluded.account, campaign_id = excluded.campaign_id, kind = excluded.kind,
        fields = excluded.fields, block_number = excluded.block_number,
        block_hash = excluded.block_hash, mined_at = excluded.mined_at,
        counts = excluded.counts
    where escrow_event.block_number is null
    returning id`
  return stored.length
}
