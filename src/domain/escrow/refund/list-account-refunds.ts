import { parseAddress, toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Context } from '../../context.ts'
import { type ReadyTransaction, readyTransaction } from '../ready-transaction.ts'
import type { DonorRefund, RefundClaim } from './donor-refund.ts'
import { findAccountRefunds } from './find-account-refunds.ts'

/** A refund of an account. */
type AccountRefund = RefundClaim &
  Pick<DonorRefund, 'state' | 'transactions'> & {
    /** Null unless it can be sent now. */
    transaction: ReadyTransaction | null
  }

/** All refunds of an account from one escrow. */
export type AccountRefundsView = {
  campaignId: string
  /** With an EIP-55 checksum. */
  account: string
  refunds: AccountRefund[]
  /** When the account can claim more, by a root that waits; null without such a root. */
  waitingUntil: Date | null
}

/**
 * Returns all refunds of an account from an escrow, with the transactions that can be sent now. Any
 * account may send them. Must run outside a transaction, because it simulates calls.
 *
 * @throws DomainError as `findAccountRefunds` does, and `invalid_input` if `text` is no address
 */
export const listAccountRefunds = async (
  ctx: Context,
  campaignId: string,
  text: string,
): Promise<AccountRefundsView> => {
  const account = parseAddress(text)
  const { escrow, refunds, waitingUntil } = await findAccountRefunds(ctx, campaignId, account)
  return {
    campaignId,
    account: toChecksumAddress(account),
    refunds: await Promise.all(
      refunds.map(async ({ claim, state, transactions, call }) => ({
        ...claim,
        ...{ state, transactions },
        transaction: state === 'ready' ? await readyTransaction(ctx, escrow, [call]) : null,
      })),
    ),
    waitingUntil,
  }
}
