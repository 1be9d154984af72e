import type { Context } from '../../../db/context.ts'
import { parseAddress, toChecksumAddress } from '../../../kernel/formats/address.ts'
import { type ReadyTransaction, readyTransaction } from '../escrow/ready-transaction.ts'
import type { DonorRefund } from './donor-refund.ts'
import { findAccountRefunds } from './find-account-refunds.ts'

/** All refunds of an account from one escrow. Addresses have EIP-55 checksums. */
type AccountRefundsView = {
  campaignId: string
  account: string
  /** `transaction` is null unless it can be sent now. Any account may send it. */
  refunds: (Omit<DonorRefund, 'call' | 'money' | 'isElsewhere'> & {
    transaction: ReadyTransaction | null
  })[]
}

/**
 * Returns all refunds of an account from an escrow, with the transactions that can be sent now.
 * Must run outside a transaction of the database, because it simulates calls.
 *
 * @throws DomainError as `findAccountRefunds` does, and `invalid_input` if `text` is no address
 */
export const listAccountRefunds = async (
  ctx: Context,
  campaignId: string,
  text: string,
): Promise<AccountRefundsView> => {
  const account = parseAddress(text)
  const { escrow, refunds } = await findAccountRefunds(ctx, campaignId, account)
  return {
    campaignId,
    account: toChecksumAddress(account),
    refunds: await Promise.all(
      refunds.map(async ({ call, receiver, asset, money: _, isElsewhere: __, ...refund }) => ({
        ...refund,
        receiver: receiver && toChecksumAddress(receiver),
        asset: toChecksumAddress(asset),
        transaction:
          call && refund.state === 'ready' ? await readyTransaction(ctx, escrow, [call]) : null,
      })),
    ),
  }
}
