import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'

/** A milestone's amount, in base units of its campaign's currency. */
type Release = {
  campaignId: string
  milestoneId: string
  currencyId: string
  amount: string
}

/**
 * Moves a milestone's amount from the account `held` to `released`. The raised amount stays the
 * same. A second release of a milestone violates the index `ledger_entry_released_once`, which
 * aborts the transaction. The caller has checked that the held amount suffices.
 */
export const releaseMilestone = async (ctx: Context, release: Release): Promise<void> => {
  const { campaignId, currencyId } = release
  await ctx.sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    values ('released', ${campaignId}, ${currencyId})
    on conflict do nothing`
  const written = await ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, milestone_id, created_at)
    select 'release', held.id, released.id, ${currencyId}, ${release.amount},
           ${campaignId}, ${release.milestoneId}, ${ctx.clock.now()}
    from ledger_account held
    join ledger_account released
      on released.campaign_id = held.campaign_id and released.asset_id = held.asset_id
     and released.kind = 'released'
    where held.campaign_id = ${campaignId} and held.asset_id = ${currencyId} and held.kind = 'held'`
  if (written.count === 0) {
    throw new DomainError('internal', 'The campaign has no held account to release from.')
  }
}
