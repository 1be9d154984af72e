import type { Context } from '../../src/db/context.ts'
import { recordDonation } from './donate.ts'

/** Records a transaction as a donation of the user of `donor`. Returns the donation's id. */
export const recordGift = async (
  donor: Context,
  campaignId: string,
  sent: { hash: string; from: string },
  value: string,
  currency = 'USDC',
): Promise<string> => {
  const { donation } = await recordDonation(donor, {
    campaignId,
    amount: { value, currency },
    transaction: { txHash: sent.hash, ledgerAddress: sent.from },
  })
  return donation.id
}
