import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { CHAIN_BEHIND_MS } from '../../../kernel/ports/clock.ts'
import { hasOpened } from '../../books/index.ts'

/** The opening of a campaign, as `isAfterOpening` compares it with transfers. */
type Opening = { countsAfter: Date | null; countsAfterBlock: number | null }

const BY_CLOCK: Opening = { countsAfter: null, countsAfterBlock: null }

/**
 * Returns the opening of a campaign that opens now: the time and the number of the newest stored
 * block, but a time at most a minute ago. If the block is older and no worker has read the chain
 * for a minute, newer blocks may be older than the opening, so their numbers say nothing. Without a
 * stored block, returns `BY_CLOCK`. Locks the chain's row, so the caller must store the opening in
 * the same transaction.
 *
 * @throws DomainError `account_in_use` if the account is the escrow of another campaign;
 * `unknown_currency` or `unavailable` if no new campaign may use the currency
 */
export const openOnChain = async (
  ctx: Context,
  campaign: Pick<Campaign, 'id' | 'chainId' | 'account' | 'currencyId'>,
): Promise<Opening> => {
  const { chainId, account, currencyId } = campaign
  const { assets } = ctx.settings
  assets.requireAccepted(assets.byId(currencyId), chainId)
  const [state] = await ctx.sql<{ headNumber: number; isFollowed: boolean }[]>`
    select head_number,
           abs(extract(epoch from clock_timestamp() - updated_at)) * 1000 <= ${CHAIN_BEHIND_MS}
             as is_followed
    from chain_state where chain_id = ${chainId} for update`
  await refuseEscrowOfOther(ctx, campaign)
  if (!state) return BY_CLOCK
  await bookEarlier(ctx, chainId, account)
  const [head] = await ctx.sql<{ minedAt: Date }[]>`
    select mined_at from chain_block
    where chain_id = ${chainId} and number = ${state.headNumber}`
  if (!head) return BY_CLOCK
  const earliest = new Date(ctx.clock.now().getTime() - CHAIN_BEHIND_MS)
  earliest.setUTCMilliseconds(0)
  const isRecent = head.minedAt >= earliest
  return {
    countsAfter: isRecent ? head.minedAt : earliest,
    countsAfterBlock: isRecent || state.isFollowed ? state.headNumber : null,
  }
}

/**
 * Refuses the escrow of another campaign. An escrow gives back what it receives, also before its
 * campaign opens and after it ends, but a donation to this campaign would keep the credit of this
 * money.
 */
const refuseEscrowOfOther = async (
  { sql }: Context,
  { id, chainId, account }: { id: string; chainId: number; account: string },
): Promise<void> => {
  const found = await sql`
    select from campaign_escrow join campaign other on other.id = campaign_escrow.campaign_id
    where other.chain_id = ${chainId} and other.account = ${account} and other.id <> ${id}`
  if (found.length === 0) return
  throw new DomainError(
    'account_in_use',
    'This account is the escrow of another campaign. Use another account.',
  )
}

/**
 * Lowers `booked_number` below the block of the account's first transfer. Settling then posts the
 * account's old transfers, because settling posts all final transfers above `booked_number`. Does
 * nothing if another campaign with this account has already opened.
 */
const bookEarlier = (ctx: Context, chainId: number, account: string) => ctx.sql`
  update chain_state set booked_number = least(booked_number, earlier.block_number - 1)
  from (
    select block_number from chain_transfer
    where chain_id = ${chainId} and recipient = ${account} and block_number is not null
    order by mined_at, id limit 1
  ) earlier
  where chain_id = ${chainId} and not exists (
    select from campaign
    where campaign.chain_id = ${chainId} and campaign.account = ${account}
      and ${hasOpened(ctx.sql)})`
