import type { Context } from '../../../db/context.ts'
import { inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { refuseSanctioned, refuseSanctionedUser } from '../../people/index.ts'
import type { RecordDonation } from '../donation/schemas.ts'

/**
 * Refuses a donation if the transfer's wallet, the named wallet or a linked wallet is sanctioned.
 * The caller must have no database transaction open, because the check may ask a node of a chain.
 *
 * @throws DomainError `blocked_for_legal_reasons` for a sanctioned wallet, `invalid_input` for an
 *   invalid address, `unavailable` if no node answers
 */
export const screenDonation = async (
  ctx: Context,
  input: Pick<RecordDonation, 'userId' | 'donor'> & {
    transaction?: RecordDonation['transaction'] | undefined
  },
): Promise<void> => {
  if (!ctx.sanctions.active || ctx.actor.kind === 'system') return
  const named = {
    'transaction.ledgerAddress': input.transaction?.ledgerAddress,
    'donor.walletAddress': input.donor?.walletAddress,
  }
  const addresses = Object.entries(named).flatMap(([path, text]) =>
    text === undefined ? [] : [inField(path, () => parseAddress(text))],
  )
  if (ctx.actor.kind === 'anonymous') return refuseSanctioned(ctx, addresses)
  await refuseSanctionedUser(ctx, input.userId ?? ctx.actor.userId, addresses)
}
