import type { Context } from '../../db/context.ts'
import {
  type CampaignView,
  type DonorRefund,
  type EscrowFacts,
  type EscrowView,
  findAccountRefunds,
  getEscrow,
  getRelease,
  type ReadyTransaction,
} from '../../domain/campaigns/index.ts'
import { campaignVersion } from '../../domain/events/index.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { parseAddress } from '../../kernel/formats/address.ts'
import { createShortKeeper } from '../../kernel/keep-short.ts'
import { unlessRefused } from '../../kernel/unless-refused.ts'
import { type ReadyRefund, readyRefundOf } from '../load/ready-refund.ts'

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

/** A refund of an account, and the transaction that pays it. */
export type ShownRefund = {
  refund: DonorRefund
  /** Null if no transaction can be sent now. */
  ready: ReadyRefund | null
}

/** A search for the refunds of an account. */
export type RefundSearch = {
  /** The text of the visitor. */
  account: string
  /** Null if the text is no address. */
  found: ShownRefund[] | null
}

/** Searches the refunds of an account from an escrow that has ended. */
export const searchRefunds = async (
  ctx: Context,
  campaign: CampaignView,
  account: string,
): Promise<RefundSearch> => {
  const found = await unlessRefused(findRefunds(ctx, campaign, account), 'invalid_input')
  return { account, found }
}

const findRefunds = async (ctx: Context, campaign: CampaignView, account: string) => {
  const { escrow, refunds } = await findAccountRefunds(ctx, campaign.id, parseAddress(account))
  const shown = refunds.map(async (refund) => ({
    refund,
    ready: await readyRefundOf(ctx, { campaign, refund: { escrow, ...refund } }),
  }))
  return Promise.all(shown)
}
