import type { Context } from '../../src/db/context.ts'
import { recordDonation } from './donate.ts'

/** Lets the donor record a transaction as a donation. Returns the id of the donation. */
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
