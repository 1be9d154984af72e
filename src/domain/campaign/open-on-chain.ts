import { CHAIN_BEHIND_MS } from '../../kernel/ports/clock.ts'
import type { Context } from '../context.ts'
import { hasOpened } from '../ledger/index.ts'

/**
 * The opening of a campaign. A null `countsAfter` means the server's time. A transfer counts:
 * - if the time of its block is after `countsAfter`, or
 * - if these times are equal, and `countsAfterBlock` is null or below the number of the block.
 */
type Opening = { countsAfter: Date | null; countsAfterBlock: number | null }

const BY_CLOCK: Opening = { countsAfter: null, countsAfterBlock: null }

/**
 * Returns the opening of a campaign that opens now: the newest known block, or, if that block is
 * over a minute old, the time a minute ago. If no block is known, returns `BY_CLOCK`. Locks the
 * chain's row, so the caller must store the opening in the same transaction.
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
 * Settling posts the final transfers in blocks above `booked_number` to the ledger. Lowers this
 * number below the block of the account's first transfer, so that settling also posts the account's
 * earlier transfers. Does nothing if a campaign with this account has opened before.
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
