import type { Context } from '../../../db/context.ts'
import { unpackTerms } from '../../../escrow/terms.ts'

/**
 * Reads the EIP-712 domain of the token of a campaign's escrow, which `paymentMethods` needs. Must
 * run outside a transaction, because it may ask a node. Does not throw if no node answers.
 */
export const preparePayment = async (ctx: Context, campaignId: string): Promise<void> => {
  const [escrow] = await ctx.sql<{ chainId: number; terms: string }[]>`
    select campaign.chain_id, escrow.terms
    from campaign_escrow escrow join campaign on campaign.id = escrow.campaign_id
    where campaign.id = ${campaignId}`
  if (escrow) await prepareToken(ctx, escrow)
}

/** Does the work of `preparePayment` for the packed terms of an escrow. */
export const prepareToken = async (
  ctx: Context,
  { chainId, terms }: { chainId: number; terms: string },
): Promise<void> => {
  const { asset: address } = unpackTerms(terms)
  await ctx.contracts.tokenDomain({ chainId, address })
}
