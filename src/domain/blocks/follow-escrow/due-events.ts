import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { StoredEscrowEvent } from '../../../db/schema/escrow.ts'
import { type EscrowEvent, NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import type { EscrowEventKind } from '../../../kernel/statuses.ts'
import { eventOrder } from '../../campaigns/index.ts'

/** At most this many events are settled in one transaction, so that it holds locks briefly. */
const EVENTS_AT_ONCE = 500

/** An event of an escrow in a canonical block, with the values that its effects need. */
export type FollowedEvent = EscrowEvent &
  Pick<
    StoredEscrowEvent,
    'id' | 'chainId' | 'account' | 'campaignId' | 'txHash' | 'position' | 'generation'
  > &
  Pick<Campaign, 'creatorId' | 'currencyId'> & {
    blockNumber: number
    blockHash: string
    minedAt: Date
    /** The packed terms of the escrow. */
    terms: string
    /**
     * The asset of the event's amount; null if the event has no amount, or if this service does not
     * know the asset.
     */
    assetId: string | null
  }

type EventOf<K extends EscrowEventKind> = FollowedEvent & { kind: K }

/** The events of one kind, in the given order. */
export const ofKind = <K extends EscrowEventKind>(
  events: readonly FollowedEvent[],
  kind: K,
): EventOf<K>[] => events.filter((event): event is EventOf<K> => event.kind === kind)

/** The fields of a ledger line that name the event and its block. */
export const lineOf = (event: FollowedEvent) => {
  const { campaignId, id: escrowEventId, generation, blockNumber, blockHash } = event
  return { campaignId, escrowEventId, generation, blockNumber, blockHash }
}

/**
 * Lists unsettled events in final blocks, in the order of `eventOrder`. Leaves out events:
 *
 * - of an escrow whose code is not proven, or whose campaign has never opened;
 * - of a campaign with a final donation that is not settled;
 * - in an asset that is no longer configured.
 */
export const listDueEvents = (
  ctx: Context,
  chainId: number,
  finalNumber: number,
): Promise<FollowedEvent[]> => {
  const { sql } = ctx
  const configured = ctx.settings.assets.all.map(({ id }) => id)
  return sql<FollowedEvent[]>`
    select ${columns(ctx)} ${tables(ctx)}
    where event.chain_id = ${chainId} and event.settled_at is null and event.counts
      and event.block_number <= ${finalNumber} and escrow.code_proven_at is not null
      and campaign.currency_id = any(${configured})
      and (asset.id is null or asset.id = any(${configured}))
      and not exists (
        select from donation
        where donation.chain_id = ${chainId} and donation.status = 'confirming'
          and donation.block_number <= ${finalNumber} and donation.campaign_id = campaign.id)
    order by ${eventOrder(sql)}
    limit ${EVENTS_AT_ONCE}`
}

/** Lists settled events in blocks above `ancestorNumber`, in the order of the chain. */
export const listSettledEvents = (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
): Promise<FollowedEvent[]> => ctx.sql<FollowedEvent[]>`
  select ${columns(ctx)} ${tables(ctx)}
  where event.chain_id = ${chainId} and event.settled_at is not null
    and event.block_number > ${ancestorNumber}
  order by ${eventOrder(ctx.sql)}`

const columns = ({ sql }: Context) => sql`
  event.id, event.chain_id, event.account, event.campaign_id, event.tx_hash, event.position,
  event.kind, event.fields, event.generation, event.block_number, event.block_hash,
  event.mined_at, campaign.creator_id, campaign.currency_id, escrow.terms, asset.id as asset_id`

const tables = ({ sql }: Context) => sql`
  from escrow_event event
  join campaign on campaign.id = event.campaign_id and campaign.account = event.account
  join campaign_escrow escrow on escrow.campaign_id = event.campaign_id
  left join asset on asset.chain_id = event.chain_id
    and case when event.fields ->> 'asset' = ${NATIVE_ASSET} then asset.kind = 'native'
             else asset.kind = 'erc20' and asset.address = event.fields ->> 'asset' end`
