import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { asBaseUnits } from '../../../kernel/money/money.ts'
import {
  aboveTarget,
  accountOf,
  type MilestoneRow,
  milestoneRows,
  requireSameChain,
  storeMilestones,
  targetOf,
} from './fields.ts'
import type { LockedCampaign } from './lock-campaign.ts'
import type { ChangeCampaign } from './schemas.ts'

/** New values for fields that can change only in a draft. A missing field does not change. */
export type DraftChange = {
  target?: string
  account?: string
  /** The packed terms of the escrow whose address is `account`. */
  terms?: string
  slug?: string
  milestones?: MilestoneRow[]
}

/**
 * Reads the changes of target, account, slug and milestones. A value that equals the stored value
 * is not a change, but given milestones always count as a change.
 *
 * @throws DomainError `invalid_amount`, `invalid_input` or `unknown_chain` if a value is wrong;
 * `conflict` if there is a change and the campaign is not a draft
 */
export const readDraftChange = (
  ctx: Context,
  row: LockedCampaign,
  input: ChangeCampaign,
): DraftChange => {
  const currency = ctx.settings.assets.byId(row.currencyId)
  const change: DraftChange = {}
  if (input.targetAmount !== undefined) {
    const target = targetOf(input.targetAmount, currency).toString()
    if (target !== row.targetAmount) change.target = target
  }
  if (input.ledgerAccount !== undefined) {
    const { address, chainId } = accountOf(ctx, input.ledgerAccount, row.chainId)
    requireSameChain(row, chainId, 'ledgerAccount')
    if (address !== row.account) change.account = address
  }
  if (input.slug !== undefined && input.slug !== row.slug) change.slug = input.slug
  if (input.milestones !== undefined) {
    const target = asBaseUnits(change.target ?? row.targetAmount)
    change.milestones = milestoneRows(ctx, input.milestones, currency, target)
  }
  if (row.status !== 'draft' && Object.keys(change).length > 0) {
    throw new DomainError(
      'conflict',
      'Target, milestones, slug and ledger account can change only while a campaign is a draft.',
    )
  }
  return change
}

/**
 * Replaces the milestones of a draft if the change has milestones. Otherwise checks a new target.
 *
 * @throws DomainError `invalid_input` if the new target is below the sum of the kept milestones
 */
export const replaceMilestones = async (
  ctx: Context,
  campaignId: string,
  { target, milestones }: DraftChange,
): Promise<void> => {
  if (milestones !== undefined) {
    await ctx.sql`delete from milestone where campaign_id = ${campaignId}`
    await storeMilestones(ctx, campaignId, milestones)
  } else if (target !== undefined) {
    const above = await ctx.sql`
      select from milestone where campaign_id = ${campaignId} and cumulative > ${target} limit 1`
    if (above.length > 0) throw aboveTarget()
  }
}
