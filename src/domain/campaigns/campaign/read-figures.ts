import type { Context } from '../../../db/context.ts'
import { withSnapshot } from '../../../db/transaction.ts'
import { readBookedBlock } from '../escrow/escrow-money.ts'
import { getEscrowFacts } from '../escrow/get-escrow.ts'
import { withCollectable } from '../refund/collectable.ts'
import { getCampaign } from './get-campaign.ts'

/**
 * Reads the totals of a campaign, the money of its escrow, and the block of both, from one snapshot
 * of the database, so that they agree. `escrow` is null without an escrow.
 *
 * @throws DomainError `not_found` if the caller can see no such campaign
 */
export const readFigures = (ctx: Context, id: string) =>
  withSnapshot(ctx, async (ctx) => {
    const campaign = await getCampaign(ctx, id)
    const escrow = campaign.escrow
      ? await withCollectable(ctx, await getEscrowFacts(ctx, id))
      : null
    return { campaign, escrow, booked: await readBookedBlock(ctx, campaign) }
  })
