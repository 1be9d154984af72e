import { z } from 'zod'
import { moneyText } from '../money-input.ts'
import { PageQuery, severalOf } from '../page.ts'

export const DONATION_STATUSES = [
  'pending',
  'confirming',
  'completed',
  'failed',
  'expired',
  'reversed',
] as const
export type DonationStatus = (typeof DONATION_STATUSES)[number]

/** Position of a transaction's own value among its transfers; logs count from 0. */
export const NATIVE_POSITION = -1

const TxHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash: 0x and 64 hexadecimal digits')
  .transform((text) => text.toLowerCase())

export const RecordDonation = z.strictObject({
  /** The donor; the caller's own id unless an administrator records for somebody. */
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
  donor: z.strictObject({ walletAddress: z.string().min(1).max(80).optional() }).optional(),
})
export type RecordDonation = z.output<typeof RecordDonation>

/** A donation that is announced before it is paid; the next transfer from its wallet settles it. */
export const RecordIntent = RecordDonation.omit({ transaction: true }).extend({
  donor: z.strictObject({ walletAddress: z.string().min(1).max(80) }),
})
export type RecordIntent = z.output<typeof RecordIntent>

/** Of a claim link: 32 random bytes in base64url. */
const ClaimToken = z.string().regex(/^[\w-]{43}$/, 'must be the token of a claim link')

export const ClaimDonation = z.strictObject({ token: ClaimToken })
export type ClaimDonation = z.output<typeof ClaimDonation>

export const AttachTransaction = z.strictObject({
  /** What the wallet returned for the payment; a later one replaces it. */
  txHash: TxHash,
  /** Of the donation's claim link, where the donor is a guest. It stays good. */
  claimToken: ClaimToken.optional(),
})
export type AttachTransaction = z.output<typeof AttachTransaction>

export const ListDonations = PageQuery.extend({
  campaignId: z.uuid().optional(),
  userId: z.uuid().optional(),
  status: severalOf(DONATION_STATUSES),
})
export type ListDonations = z.output<typeof ListDonations>
