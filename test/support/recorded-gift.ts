import type { Context } from '../../src/domain/context.ts'
import { recordDonation } from '../../src/domain/donation/index.ts'

/** Records a transaction as the donation of whoever the context is of. The id of the donation. */
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
