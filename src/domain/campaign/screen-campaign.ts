import type { Context } from '../context.ts'
import { refuseSanctionedUser } from '../sanction/index.ts'
import { accountOf } from './fields.ts'

/**
 * Refuses a campaign for a sanctioned account, or of a creator with a sanctioned wallet. Apart from
 * `createCampaign`, since it may ask a chain and that opens transactions.
 *
 * @throws DomainError `blocked_for_legal_reasons`, `invalid_input`, `unknown_chain`, `unavailable`
 */
export const screenCampaign = async (
  ctx: Context,
  input: { creatorId?: string | undefined; ledgerAccount?: string | undefined },
): Promise<void> => {
  if (!ctx.sanctions.active || ctx.actor.kind !== 'user') return
  const { ledgerAccount } = input
  const named = ledgerAccount === undefined ? [] : [accountOf(ctx, ledgerAccount).address]
  await refuseSanctionedUser(ctx, input.creatorId ?? ctx.actor.userId, named)
}
