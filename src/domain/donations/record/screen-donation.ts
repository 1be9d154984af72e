import type { Context } from '../../../db/context.ts'
import { inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { refuseSanctioned, refuseSanctionedUser } from '../../people/index.ts'
import { preparePayment } from '../donation/prepare-payment.ts'
import type { RecordDonation } from '../donation/schemas.ts'

declare const screened: unique symbol

/** A donation or intent that the law allows to take. Only `screenDonation` makes this type. */
export type Screened<T> = T & { readonly [screened]: true }

/** A donation with a transaction, or an intent without one. */
export type Donate = Omit<RecordDonation, 'transaction'> & {
  transaction?: RecordDonation['transaction'] | undefined
}

/**
 * Refuses a donation if the transfer's wallet, the named wallet or a linked wallet is sanctioned.
 * For an intent, also reads what its payment instructions need. The caller must have no database
 * transaction open, because a node of a chain may be asked.
 *
 * @throws DomainError `blocked_for_legal_reasons` for a sanctioned wallet, `invalid_input` for an
 *   invalid address, `unavailable` if no node answers
 */
export const screenDonation = async <T extends Donate>(
  ctx: Context,
  input: T,
): Promise<Screened<T>> => {
  await refuseWallets(ctx, input)
  if (!input.transaction) await preparePayment(ctx, input.campaignId)
  return input as Screened<T>
}

const refuseWallets = async (ctx: Context, input: Donate): Promise<void> => {
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
