import type { Context } from '../../../db/context.ts'
import type { Campaign, Milestone } from '../../../db/schema/campaigns.ts'
import { type EscrowTerms, unpackTerms } from '../../../escrow/terms.ts'
import { DomainError } from '../../../kernel/errors.ts'

/** A milestone with the values that its verification depends on. Amounts are base units. */
export type MilestoneRow = Milestone &
  Pick<Campaign, 'creatorId' | 'chainId' | 'currencyId' | 'account'> & {
    campaignTitle: string
    campaignStatus: Campaign['status']
    round: number
    /** The terms of the campaign's escrow; null if the campaign has none. */
    terms: EscrowTerms | null
  }

/**
 * Reads a milestone. If `lock` is true, the milestone and its campaign cannot change until the
 * transaction ends.
 *
 * @throws DomainError `not_found` if there is no milestone with this id
 */
export const requireMilestone = async (
  { sql }: Context,
  id: string,
  { lock }: { lock: boolean },
): Promise<MilestoneRow> => {
  const [row] = await sql<(Omit<MilestoneRow, 'terms'> & { packed: string | null })[]>`
    select milestone.*, milestone.verification_round as round, campaign.title as campaign_title,
           campaign.status as campaign_status, campaign.creator_id, campaign.chain_id,
           campaign.currency_id, campaign.account, escrow.terms as packed
    from milestone
    join campaign on campaign.id = milestone.campaign_id
    left join campaign_escrow escrow on escrow.campaign_id = campaign.id
    where milestone.id = ${id}
    ${lock ? sql`for update of milestone for share of campaign` : sql``}`
  if (!row) throw unknownMilestone()
  const { packed, ...milestone } = row
  return { ...milestone, terms: packed === null ? null : unpackTerms(packed) }
}

export const unknownMilestone = () => new DomainError('not_found', 'There is no such milestone.')

/** Whether enough money is raised for the milestone, and enough of this money is unreleased. */
export const isCovered = async (
  { sql }: Context,
  { campaignId, cumulative, amount }: MilestoneRow,
): Promise<boolean> => {
  const covered = await sql`
    select from campaign_total total
    where total.campaign_id = ${campaignId} and total.raised >= ${cumulative}::numeric
      and total.raised - (
        select coalesce(sum(amount), 0) from milestone
        where campaign_id = total.campaign_id and status = 'released') >= ${amount}::numeric`
  return covered.length > 0
}
