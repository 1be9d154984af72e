import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'

/**
 * Refuses the caller if one of the addresses (in lower case) is sanctioned. Must run outside a
 * transaction, because asking an oracle is a slow call to a chain.
 *
 * @throws DomainError `blocked_for_legal_reasons` for a sanctioned address, `unavailable` if an
 *   oracle cannot be read
 */
export const refuseSanctioned = async (
  ctx: Context,
  addresses: readonly string[],
): Promise<void> => {
  if (!ctx.sanctions.active || !(await ctx.sanctions.isSanctioned(addresses))) return
  ctx.log.warn({ userId: ctx.actor.kind === 'user' ? ctx.actor.userId : null }, 'sanctioned wallet')
  throw new DomainError(
    'blocked_for_legal_reasons',
    'The law forbids us to take part in transfers with this wallet.',
  )
}

/** Calls `refuseSanctioned` with a user's linked wallets and with `addresses`. */
export const refuseSanctionedUser = async (
  ctx: Context,
  userId: string,
  addresses: readonly string[] = [],
): Promise<void> => {
  if (!ctx.sanctions.active) return
  const linked = await ctx.sql<{ address: string }[]>`
    select address from wallet where user_id = ${userId}`
  await refuseSanctioned(ctx, [...addresses, ...linked.map(({ address }) => address)])
}
