import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { type EscrowTerms, unpackTerms } from '../../../escrow/terms.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { isDeployed } from './recorded-donor.ts'

/** A campaign whose account is an escrow contract. */
export type Escrow = Pick<
  Campaign,
  'chainId' | 'account' | 'status' | 'creatorId' | 'currencyId'
> & {
  campaignId: string
  terms: EscrowTerms
  /** The terms in the encoding of the contract. */
  packed: string
  codeProvenAt: Date | null
  /** Whether stored blocks show the contract. If false, it may still have been deployed. */
  deployed: boolean
}

type EscrowRow = Omit<Escrow, 'terms' | 'packed'> & { terms: string | null }

/**
 * Returns the escrow of a campaign that the caller may see.
 *
 * @throws DomainError `not_found`; `not_escrowed` if the campaign has no escrow
 */
export const requireEscrow = async (ctx: Context, campaignId: string): Promise<Escrow> => {
  const [row] = await ctx.sql<EscrowRow[]>`
    select campaign.id as campaign_id, chain_id, account, status, creator_id, currency_id,
           escrow.terms, escrow.code_proven_at,
           ${isDeployed(ctx.sql)} as deployed
    from campaign left join campaign_escrow escrow on escrow.campaign_id = campaign.id
    where campaign.id = ${campaignId}`
  const isSeen = row && (row.status !== 'draft' || mayActFor(ctx.actor, row.creatorId))
  if (!isSeen) throw new DomainError('not_found', 'There is no such campaign.')
  const { terms: packed, ...escrow } = row
  if (packed === null) {
    throw new DomainError(
      'not_escrowed',
      'The account of this campaign is not an escrow, so its money is in the account of the creator. Call this only for a campaign with the field `escrow`.',
    )
  }
  return { ...escrow, packed, terms: unpackTerms(packed) }
}
