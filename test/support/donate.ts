import type { Context } from '../../src/db/context.ts'
import {
  type ClaimLinkView,
  type DonationView,
  donate,
  type RecordDonation,
  type RecordIntent,
  screenDonation,
} from '../../src/domain/donations/index.ts'

type RecordAsGuest = RecordIntent & {
  transaction?: RecordDonation['transaction'] | undefined
}

const record = async (ctx: Context, input: RecordIntent | RecordDonation | RecordAsGuest) =>
  donate(ctx, await screenDonation(ctx, input))

/** Screens and records the donation of a user who names a transaction. */
export const recordDonation = (ctx: Context, input: RecordDonation) => record(ctx, input)

/** Screens and records the intent of a user. */
export const recordIntent = async (ctx: Context, input: RecordIntent): Promise<DonationView> =>
  (await record(ctx, input)).donation

/** Screens and records the donation, or the intent, of a guest. */
export const recordAsGuest = async (
  ctx: Context,
  input: RecordAsGuest,
): Promise<{ donation: DonationView; claim: ClaimLinkView }> => {
  const { donation, claim } = await record(ctx, input)
  if (!claim) throw new Error('A user has no claim link.')
  return { donation, claim }
}
