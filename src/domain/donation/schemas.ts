import { z } from 'zod'
import { DONATION_STATUSES } from '../../kernel/statuses.ts'
import { moneyText } from '../money-input.ts'
import { PageQuery, severalOf } from '../page.ts'
import { PublicName, publicText } from '../public-text.ts'

const TxHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash: 0x and 64 hexadecimal digits')
  .transform((text) => text.toLowerCase())

const DonorName = PublicName.meta({
  description: 'Shown to everyone. Without a name and a message the donor is anonymous.',
})
const DonorMessage = publicText(280).meta({
  description: 'Shown to everyone, as plain text.',
})

const WalletAddress = z.string().min(1).max(80)

const Donor = z.strictObject({
  walletAddress: WalletAddress.optional(),
  name: DonorName.optional(),
  message: DonorMessage.optional(),
})

export const RecordDonation = z.strictObject({
  /** The donor; the caller's own id unless an administrator records for another user. */
  userId: z.uuid().optional(),
  campaignId: z.uuid(),
  amount: z.strictObject({ value: moneyText, currency: z.string().min(1).max(16) }),
  transaction: z.strictObject({
    txHash: TxHash,
    /** Sender or recipient of the transfer. */
    ledgerAddress: z.string().min(1).max(80),
    /** Which log of the receipt (from 0), or `native`; left out: the campaign's transfer in it. */
    logPosition: z.union([z.int().min(0).max(1_000_000), z.literal('native')]).optional(),
  }),
  type: z.string().min(1).max(40).optional(),
  donor: Donor.optional(),
})
export type RecordDonation = z.output<typeof RecordDonation>

/** A donation that is announced before it is paid; the next transfer from its wallet settles it. */
export const RecordIntent = RecordDonation.omit({ transaction: true }).extend({
  donor: Donor.extend({ walletAddress: WalletAddress }),
})
export type RecordIntent = z.output<typeof RecordIntent>

/** Of a claim link: 32 random bytes in base64url. */
const ClaimToken = z.string().regex(/^[\w-]{43}$/, 'must be the token of a claim link')

export const ClaimDonation = z.strictObject({ token: ClaimToken })
export type ClaimDonation = z.output<typeof ClaimDonation>

/** An absent field stays as it is, null clears. */
export const ChangeDonation = z
  .strictObject({
    /** Of an intent: the hash that the wallet returned; a later hash replaces it. */
    txHash: TxHash.optional(),
    donor: z
      .strictObject({
        name: DonorName.nullable().optional(),
        message: DonorMessage.nullable().optional(),
      })
      .optional(),
    /** Of the donation's claim link, if the donor is a guest. It is not used up. */
    claimToken: ClaimToken.optional(),
  })
  .refine(({ txHash, donor }) => txHash !== undefined || donor !== undefined, {
    error: 'must name a field to change',
  })
export type ChangeDonation = z.output<typeof ChangeDonation>

export const SetVisibility = z.strictObject({
  /** Hidden, the name and the message are shown to the donor, the creator and administrators. */
  hidden: z.boolean(),
})
export type SetVisibility = z.output<typeof SetVisibility>

export const ListDonations = PageQuery.extend({
  campaignId: z.uuid().optional(),
  userId: z.uuid().optional(),
  status: severalOf(DONATION_STATUSES),
})
export type ListDonations = z.output<typeof ListDonations>
