import { z } from 'zod'
import { moneyText } from '../money-input.ts'
import { PageQuery } from '../page.ts'

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

const hex = (bytes: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `must be ${what}`)
    .transform((text) => text.toLowerCase())

export const RecordDonation = z.strictObject({
  /** The donor; the caller's own id unless an administrator records for somebody. */
  userId: z.uuid().optional(),
  campaignId: z.uuid(),
  amount: z.strictObject({ value: moneyText, currency: z.string().min(1).max(16) }),
  transaction: z.strictObject({
    txHash: hex(32, 'a transaction hash: 0x and 64 hexadecimal digits'),
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

export const ListDonations = PageQuery.extend({
  campaignId: z.uuid().optional(),
  userId: z.uuid().optional(),
  status: z.enum(DONATION_STATUSES).optional(),
})
export type ListDonations = z.output<typeof ListDonations>
