import { z } from 'zod'
import { DONATION_STATUSES } from '../../../kernel/statuses.ts'
import { moneyText, PageQuery, PublicName, publicText, severalOf } from '../../shared/index.ts'

const TxHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash: 0x and 64 hexadecimal digits')
  .transform((text) => text.toLowerCase())

const DonorName = PublicName.meta({
  description:
    'Shown to everyone once a block has the payment. Without a name and a message the donor is anonymous.',
})
const DonorMessage = publicText(280).meta({
  description: 'Shown to everyone once a block has the payment, as plain text.',
})

const WalletAddress = z.string().min(1).max(80)

const Donor = z.strictObject({
  walletAddress: WalletAddress.optional(),
  name: DonorName.optional(),
  message: DonorMessage.optional(),
})

export const RecordDonation = z.strictObject({
  /** The donor's user id. Only an administrator may name another user. */
  userId: z.uuid().optional(),
  campaignId: z.uuid(),
  amount: z.strictObject({ value: moneyText, currency: z.string().min(1).max(16) }),
  transaction: z.strictObject({
    txHash: TxHash,
    /** The address of the transfer's sender or recipient. */
    ledgerAddress: z.string().min(1).max(80),
    /** The log's index in the receipt (from 0) or `native`. If absent, any transfer may match. */
    logPosition: z.union([z.int().min(0).max(1_000_000), z.literal('native')]).optional(),
  }),
  type: publicText(40).describe('Shown to everyone once a block has the payment.').optional(),
  donor: Donor.optional(),
})
export type RecordDonation = z.output<typeof RecordDonation>

/** A donation that has no transaction yet. The next transfer from its wallet pays the donation. */
export const RecordIntent = RecordDonation.omit({ transaction: true }).extend({
  donor: Donor.extend({ walletAddress: WalletAddress }),
})
export type RecordIntent = z.output<typeof RecordIntent>

/** The token of a claim link: 32 random bytes in base64url. */
const ClaimToken = z.string().regex(/^[\w-]{43}$/, 'must be the token of a claim link')

export const ClaimDonation = z.strictObject({ token: ClaimToken })
export type ClaimDonation = z.output<typeof ClaimDonation>

/** An absent field stays unchanged. Null clears a field. */
export const ChangeDonation = z
  .strictObject({
    /** The transaction hash that the wallet returned when it paid an intent. */
    txHash: TxHash.optional(),
    donor: z
      .strictObject({
        name: DonorName.nullable().optional(),
        message: DonorMessage.nullable().optional(),
      })
      .optional(),
    /** The token of the claim link, if the donor is a guest. The token stays valid. */
    claimToken: ClaimToken.optional(),
  })
  .refine(({ txHash, donor }) => txHash !== undefined || donor !== undefined, {
    error: 'must name a field to change',
  })
export type ChangeDonation = z.output<typeof ChangeDonation>

export const SetVisibility = z.strictObject({
  /** If true, only the donor, the creator and administrators see the name and the message. */
  hidden: z.boolean(),
})
export type SetVisibility = z.output<typeof SetVisibility>

export const ListDonations = PageQuery.extend({
  campaignId: z.uuid().optional(),
  userId: z.uuid().optional(),
  status: severalOf(DONATION_STATUSES),
})
export type ListDonations = z.output<typeof ListDonations>
