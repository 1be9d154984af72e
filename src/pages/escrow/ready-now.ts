import type { Context } from '../../db/context.ts'
import {
  type CampaignView,
  type EscrowFacts,
  type EscrowView,
  getEscrow,
  getRelease,
  type ReadyTransaction,
} from '../../domain/campaigns/index.ts'
import { campaignVersion } from '../../domain/events/index.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { createShortKeeper } from '../load/keep-short.ts'

/** The release of a verified milestone that can be sent now. */
type Release = { milestoneId: string; transaction: ReadyTransaction }

/** An escrow with everything that can be sent to it now. */
export type ReadyNow = {
  escrow: EscrowView
  releases: readonly Release[]
}

const keep = createShortKeeper<ReadyNow>()

/**
 * Reads the escrow of a campaign, and what visitors can send to it. Nodes try each transaction, so
 * the result is kept for a short time, but only until the database knows something new.
 */
export const readReadyNow = async (ctx: Context, campaign: CampaignView): Promise<ReadyNow> => {
  const version = await campaignVersion(ctx, campaign.id)
  const ready = await keep(`${campaign.id} ${version}`, () => askNodes(ctx, campaign))
  if (mayActFor(ctx.actor, campaign.creatorId)) return ready
  // Only the creator is shown how to cancel.
  const transactions = ready.escrow.transactions.filter(({ action }) => action !== 'cancel')
  return { ...ready, escrow: { ...ready.escrow, transactions } }
}

const askNodes = async (ctx: Context, campaign: CampaignView): Promise<ReadyNow> => {
  const escrow = await getEscrow(ctx, campaign.id)
  return { escrow, releases: isOver(escrow) ? [] : await findReleases(ctx, campaign) }
}

/** Whether an escrow has ended, so that it gives money back and releases no milestone. */
export const isOver = ({ state }: Pick<EscrowFacts, 'state'>): boolean =>
  state === 'failed' || state === 'done'

/** Makes the releases of all verified milestones, except those that the contract would refuse. */
const findReleases = async (ctx: Context, { milestones }: CampaignView): Promise<Release[]> => {
  const verified = milestones.filter(({ status }) => status === 'verified')
  const found = await Promise.all(
    verified.map(async ({ id }): Promise<Release[]> => {
      try {
        return [{ milestoneId: id, transaction: await getRelease(ctx, id) }]
      } catch (error) {
        if (error instanceof DomainError) return []
        throw error
      }
    }),
  )
  return found.flat()
}
