import { CHAIN_BEHIND_MS } from '../../kernel/ports/clock.ts'
import type { Context } from '../context.ts'
import { hasOpened } from '../ledger/index.ts'

/** The place in its chain after which a campaign's income counts: see the columns of `campaign`. */
type Opening = { countsAfter: Date | null; countsAfterBlock: number | null }

const BY_CLOCK: Opening = { countsAfter: null, countsAfterBlock: null }

/**
 * Where in its chain a campaign opens now: after the newest block that is known, and at most a
 * minute back by our clock. While the sync has not read the newest block, our clock alone
 * decides, because an unread block may be older than the opening. The caller's transaction holds
 * the chain's lock from here on, and writes the campaign after it.
 */
export const openOnChain = async (
  ctx: Context,
  chainId: number,
  account: string,
): Promise<Opening> => {
  const [state] = await ctx.sql<{ headNumber: number }[]>`
    select head_number from chain_state where chain_id = ${chainId} for update`
  if (!state) return BY_CLOCK
  await bookEarlier(ctx, chainId, account)
  const [head] = await ctx.sql<{ minedAt: Date }[]>`
    select mined_at from chain_block
    where chain_id = ${chainId} and number = ${state.headNumber}`
  if (!head) return BY_CLOCK
  const earliest = new Date(ctx.clock.now().getTime() - CHAIN_BEHIND_MS)
  earliest.setUTCMilliseconds(0)
  return head.minedAt < earliest
    ? { countsAfter: earliest, countsAfterBlock: null }
    : { countsAfter: head.minedAt, countsAfterBlock: state.headNumber }
}

/** Transfers from before an account's first campaign opens are booked with the next batch. */
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
