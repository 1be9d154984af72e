import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { refuseUnsupported } from '../escrow/check-support.ts'
import { choicesIn, choicesOf, type EscrowChoices, planEscrow } from '../escrow/plan-escrow.ts'
import type { DraftChange } from './draft.ts'
import { recipientOf, requireSameChain } from './fields.ts'
import type { LockedCampaign } from './lock-campaign.ts'
import type { ChangeCampaign } from './schemas.ts'

/**
 * Adds the new terms and the new account of an escrow to a draft's change, if a change of target,
 * milestones or `escrow` changes the terms. Checks the terms again when the campaign opens.
 *
 * @throws DomainError `invalid_terms`, `invalid_input`, `escrow_unsupported`,
 * `escrow_target_too_high`; `conflict` if the campaign has no escrow or is not a draft
 */
export const planChange = async (
  ctx: Context,
  row: LockedCampaign,
  input: ChangeCampaign,
  draft: DraftChange,
): Promise<DraftChange> => {
  const [stored] = await ctx.sql<{ terms: string }[]>`
    select terms from campaign_escrow where campaign_id = ${row.id}`
  if (!stored) {
    if (input.escrow === undefined) return draft
    throw new DomainError('conflict', 'Only a new campaign can get an escrow.')
  }
  if (draft.account !== undefined) {
    throw new DomainError('invalid_input', 'The account of this campaign is its escrow.', [
      { path: 'ledgerAccount', message: 'follows from the escrow' },
    ])
  }
  const known = choicesIn(stored.terms)
  const choices = chosenIn(ctx, row, input) ?? known
  const hasNewChoices = !isDeepStrictEqual(choices, known)
  if (row.status !== 'draft') {
    if (!hasNewChoices) return draft
    throw new DomainError(
      'conflict',
      'The terms of an escrow can change only while a campaign is a draft.',
    )
  }
  const opens = input.status === 'active'
  if (!opens && !hasNewChoices && !draft.target && !draft.milestones) return draft
  const target = draft.target ?? row.targetAmount
  const currency = ctx.settings.assets.byId(row.currencyId)
  refuseUnsupported(ctx, { chainId: row.chainId, currency, target: BigInt(target) })
  const milestones = draft.milestones ?? (await amountsOf(ctx, row.id))
  const funding = { ...row, campaignId: row.id, targetAmount: target, milestones }
  const { account, terms } = await planEscrow(ctx, funding, choices, stored.terms)
  return terms === stored.terms ? draft : { ...draft, account, terms }
}

const chosenIn = (
  ctx: Context,
  row: LockedCampaign,
  { escrow }: ChangeCampaign,
): EscrowChoices | undefined => {
  if (escrow === undefined) return undefined
  const recipient = recipientOf(ctx, escrow, row.chainId)
  requireSameChain(row, recipient.chainId, 'escrow.recipient')
  return choicesOf(escrow, recipient.address)
}

const amountsOf = (ctx: Context, campaignId: string) => ctx.sql<{ amount: string }[]>`
  select amount from milestone where campaign_id = ${campaignId} order by position`
