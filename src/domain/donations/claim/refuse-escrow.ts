import type { Context } from '../../../db/context.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { isEscrowedAsset } from '../../books/index.ts'

/**
 * Refuses to give a transfer to a donation if the campaign's escrow gives the money back: after the
 * escrow has failed, and in an asset that the escrow does not hold. So money that was paid back is
 * never credited.
 *
 * @throws DomainError `campaign_not_active`, `conflict`
 */
export const refuseEscrow = async (
  ctx: Context,
  { id, assetId }: Pick<MinedTransfer, 'id' | 'assetId'>,
  campaignId: string,
): Promise<void> => {
  const [row] = await ctx.sql<{ isHeld: boolean; hasFailed: boolean }[]>`
    select ${isEscrowedAsset(ctx.sql)} as is_held, exists (
             select from escrow_event event
             where event.campaign_id = campaign.id and event.kind = 'Failed'
               and event.settled_at is not null) as has_failed
    from campaign, (select ${id}::uuid as id, ${assetId} as asset_id) transfer
    where campaign.id = ${campaignId}`
  if (row?.hasFailed) {
    throw new DomainError(
      'campaign_not_active',
      'The escrow of this campaign gives its money back, so it takes no more donations. GET /api/campaigns/:id/returns has what goes back.',
    )
  }
  if (row?.isHeld !== false) return
  throw new DomainError(
    'conflict',
    'The escrow of this campaign does not hold this asset, so the payment is no donation. Its verifiers can return it.',
  )
}
