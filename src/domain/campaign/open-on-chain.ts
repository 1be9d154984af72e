import { CHAIN_BEHIND_MS } from '../../kernel/ports/clock.ts'
import type { Context } from '../context.ts'
import { hasOpened } from '../ledger/index.ts'

/**
 * The opening of a campaign: transfers after this block time and block number count. If only the
 * number is null, all blocks from that second on count. If both are null, our clock sets the time.
 */
type Opening = { countsAfter: Date | null; countsAfterBlock: number | null }

const BY_CLOCK: Opening = { countsAfter: null, countsAfterBlock: null }

/**
 * Returns the opening of a campaign that opens now: the newest known block, or a minute ago if this
 * block is older. Our clock decides if the sync has not read the newest block. Locks the chain's
 * row; the caller must store the opening in the same transaction.
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

/**
 * The ledger has the final transfers up to `booked_number`. Lowers this number to before the
 * account's first transfer, so that settling also posts the earlier transfers. Does nothing if a
 * campaign has already opened on the account.
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
