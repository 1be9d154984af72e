import { DomainError, inField } from '../../kernel/errors.ts'
import { asBaseUnits, parseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import { aboveTarget, accountOf, milestoneRows } from './fields.ts'
import type { ChangeCampaign } from './schemas.ts'

export type DraftRow = {
  id: string
  currencyId: string
  targetAmount: string
  chainId: number
  account: string
  slug: string | null
}

type MilestoneRows = ReturnType<typeof milestoneRows>

/** What changes of the part that donors rely on; left out where it stays as it is. */
export type DraftChange = {
  target?: string
  account?: string
  slug?: string
  milestones?: MilestoneRows
}

/**
 * Reads changes of target, account, slug and milestones, which only a draft may make. Naming again
 * what is so already is no change. Throws DomainError `conflict`, `invalid_amount`,
 * `invalid_input`.
 */
export const readDraftChange = (
  ctx: Context,
  row: DraftRow,
  isDraft: boolean,
  input: ChangeCampaign,
): DraftChange => {
  const currency = ctx.settings.assets.byId(row.currencyId)
  const change: DraftChange = {}
  if (input.targetAmount !== undefined) {
    const { targetAmount } = input
    const target = inField('targetAmount', () =>
      parseUnits(targetAmount, currency.decimals),
    ).toString()
    if (target !== row.targetAmount) change.target = target
  }
  if (input.ledgerAccount !== undefined) {
    const { address, chainId } = accountOf(ctx, input.ledgerAccount, row.chainId)
    if (chainId !== row.chainId) {
      throw new DomainError('invalid_input', 'A campaign stays on its chain.', [
        { path: 'ledgerAccount', message: 'names another chain' },
      ])
    }
    if (address !== row.account) change.account = address
  }
  if (input.slug !== undefined && input.slug !== row.slug) change.slug = input.slug
  if (input.milestones !== undefined) {
    const target = asBaseUnits(change.target ?? row.targetAmount)
    change.milestones = milestoneRows(ctx, input.milestones, currency, target)
  }
  if (!isDraft && Object.keys(change).length > 0) {
    throw new DomainError(
      'conflict',
      'Target, milestones, slug and ledger account change only while a campaign is a draft.',
    )
  }
  return change
}

/**
 * New milestones instead of the old ones, to which nothing refers while the campaign is a draft.
 * Throws DomainError `invalid_input` where a lowered target is too low for the old ones.
 */
export const storeMilestones = async (
  ctx: Context,
  campaignId: string,
  { target, milestones }: DraftChange,
): Promise<void> => {
  if (milestones === undefined) {
    if (target === undefined) return
    const above = await ctx.sql`
      select from milestone where campaign_id = ${campaignId} and cumulative > ${target} limit 1`
    if (above.length > 0) throw aboveTarget()
    return
  }
  await ctx.sql`delete from milestone where campaign_id = ${campaignId}`
  await ctx.sql`
    insert into milestone
      (id, campaign_id, position, title, description, amount, cumulative, verification_docs)
    select row.id, ${campaignId}, row.position, row.title, row.description, row.amount,
           row.cumulative, row.verification_docs
    from jsonb_to_recordset(${ctx.sql.json(milestones)})
      as row (id uuid, position int, title text, description text, amount numeric,
              cumulative numeric, verification_docs jsonb)`
}
