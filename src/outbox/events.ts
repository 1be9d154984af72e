import { z } from 'zod'
import { CAMPAIGN_STATUSES, ESCROW_FAILURES } from '../kernel/statuses.ts'

/**
 * The types of events and the shape of their data. Amounts are decimal texts, times are ISO 8601
 * texts. An endpoint without a subscription gets only the types in `STANDARD_EVENTS`.
 */
const id = z.uuid()
const time = z.iso.datetime()
const decimal = z.string().regex(/^\d+(\.\d+)?$/)
const signedDecimal = z.string().regex(/^-?\d+(\.\d+)?$/)
const money = z.object({ value: decimal, currency: z.string() }).meta({ id: 'EventMoney' })
const donor = id.nullable().meta({
  description:
    'The account that recorded the donation first, or that holds the sending wallet. Null for a guest.',
})
const needed = money.describe('The amount that the milestone needs.')
const donationAmounts = {
  amount: money.describe('The amount that arrived, in its own asset.'),
  declaredAmount: money.describe('The amount that the donor declared.'),
  confirmedAmount: money.describe('The same as `amount`.'),
  creditedAmount: money.describe("The credited amount, in the campaign's currency."),
  discrepancy: z.boolean().meta({
    description: 'Whether `amount` differs from `declaredAmount`.',
    examples: [false],
  }),
}
const transaction = z.object({ ledgerTxId: z.string(), timestamp: time })
const claimed = z.object({
  ledgerTxId: z.string().describe('The transaction that was claimed.'),
})
const reverted = z.object({
  ledgerTxId: z.string().describe('The transaction that a reorg reverted.'),
})
const refundedSum = money.describe('The sum of all refunds of this donation so far.')
const evidence = z.object({
  type: z.string().meta({ examples: ['document'] }),
  url: z.string(),
  timestamp: z.string(),
})

/** The reasons why a donation failed. */
export const FAILURE_REASONS = [
  'transaction_reverted',
  'wrong_recipient',
  'unknown_token',
  'no_such_transfer',
  'ledger_address_mismatch',
  'transfer_before_campaign',
  'transfer_already_claimed',
  'block_unsupported',
  'returned_in_transaction',
  'transaction_replaced',
  'moved_to_wallet_owner',
  'cancelled',
  'asset_not_escrowed',
  'campaign_failed',
] as const

/** The reasons why a credit was reversed. */
export const REVERSAL_REASONS = ['reorganised', 'moved_to_wallet_owner'] as const
export type ReversalReason = (typeof REVERSAL_REASONS)[number]

export const eventData = {
  'donation.completed': z.object({
    donationId: id,
    campaignId: id,
    ...donationAmounts,
    status: z.literal('completed'),
    transaction,
    userId: donor,
    confirmations: z.int(),
  }),
  'campaign.milestone.reached': z.object({
    campaignId: id,
    milestoneId: id,
    title: z.string().nullable(),
    amount: needed,
    currentAmount: money,
    reachedAt: time,
  }),
  'campaign.funded': z.object({
    campaignId: id,
    targetAmount: money,
    currentAmount: money,
    fundedAt: time,
  }),
  'impact.verified': z.object({
    campaignId: id,
    milestoneId: id.optional(),
    impactMetricsId: id.optional(),
    verifiers: z.array(id),
    evidence: z
      .array(evidence)
      .describe('The evidence that the verifiers named. This service does not check it.'),
    verifiedAt: time,
  }),
  'user.verified': z.object({ userId: id, verifiedAt: time }),
  'donation.failed': z.object({
    donationId: id,
    campaignId: id,
    status: z.literal('failed'),
    reason: z.union([z.enum(FAILURE_REASONS), z.string()]),
    transaction: claimed,
    userId: donor,
  }),
  'donation.reopened': z.object({
    donationId: id,
    campaignId: id,
    status: z.literal('pending'),
    transaction: claimed,
    userId: donor,
    reopenedAt: time,
  }),
  'donation.reversed': z.object({
    donationId: id,
    campaignId: id,
    ...donationAmounts,
    status: z.literal('reversed'),
    reason: z.enum(REVERSAL_REASONS).meta({
      description:
        'Either a reorg reverted the transfer, or another donation now has the transfer: a donation of the holder of the sending wallet, or of an account instead of a guest.',
    }),
    transaction: z.object({ ledgerTxId: z.string() }),
    userId: donor,
    currentAmount: money,
    reversedAt: time,
  }),
  'campaign.threshold.reverted': z.object({
    campaignId: id,
    milestoneId: id.nullable(),
    threshold: z.enum(['milestone', 'target']),
    amount: money,
    currentAmount: money,
    revertedAt: time,
  }),
  'milestone.released': z.object({
    campaignId: id,
    milestoneId: id,
    title: z.string().nullable(),
    amount: needed,
    verifiers: z.array(id),
    releasedAt: time,
    transaction: transaction
      .optional()
      .describe('The payment to the recipient, if the account of the campaign is an escrow.'),
  }),
  'milestone.release.reverted': z.object({
    campaignId: id,
    milestoneId: id,
    title: z.string().nullable(),
    amount: needed,
    transaction: reverted,
    revertedAt: time,
  }),
  'campaign.surplus.released': z.object({
    campaignId: id,
    amount: money,
    /** The address that got the surplus, with an EIP-55 checksum. */
    recipient: z.string().meta({ examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }),
    transaction,
    releasedAt: time,
  }),
  'campaign.failed': z.object({
    campaignId: id,
    reason: z.enum(ESCROW_FAILURES),
    refundable: money.describe('The amount that the escrow held, for all donors.'),
    transaction,
    failedAt: time,
  }),
  'donation.refunded': z.object({
    donationId: id,
    campaignId: id,
    amount: money.describe('The amount of this refund.'),
    refundedAmount: refundedSum,
    creditedAmount: donationAmounts.creditedAmount,
    status: z.enum(['partly_refunded', 'refunded']),
    transaction,
    userId: donor,
    currentAmount: money,
    receiver: z
      .string()
      .optional()
      .meta({
        description:
          'The account that got the money, only if verifiers named another account than the sender.',
        examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
      }),
  }),
  'donation.refund.reverted': z.object({
    donationId: id,
    campaignId: id,
    amount: money.describe('The amount of the refund that a reorg reverted.'),
    refundedAmount: refundedSum,
    status: z.enum(['completed', 'partly_refunded']),
    transaction: reverted,
    userId: donor,
    currentAmount: money,
    revertedAt: time,
  }),
  /** Goes only to administrators. A reconciliation found an amount that was not expected. */
  'reconciliation.difference': z.object({
    differenceId: id,
    campaignId: id.nullable(),
    kind: z.string().meta({ examples: ['custody'] }),
    chainId: z.int(),
    account: z.string(),
    /** The asset's CAIP-19 name, or for example `iso4217:USD` for a fiat currency. */
    asset: z.string().meta({ examples: ['eip155:1/slip44:60'] }),
    blockNumber: z.int(),
    expected: signedDecimal,
    actual: signedDecimal,
    note: z.string().meta({
      examples: [
        'The custody of the account in the ledger differs from the sum of its final transfers.',
      ],
    }),
    openedAt: time,
  }),
  'campaign.updated': z.object({
    campaignId: id,
    /** The names of the campaign's fields that changed, in camelCase. */
    changes: z.array(z.string()).meta({ examples: [['title', 'description']] }),
    status: z.enum(CAMPAIGN_STATUSES),
    updatedAt: time,
  }),
  'deposit.unclaimed': z.object({
    depositId: id,
    campaignId: id,
    amount: money,
    /** The address that sent the deposit, with an EIP-55 checksum. */
    sender: z.string().meta({ examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }),
    transaction,
    receivedAt: time.describe('The time at which this service first saw the transfer.'),
  }),
} as const

export type EventType = keyof typeof eventData
export type EventData<T extends EventType> = z.infer<(typeof eventData)[T]>
export const EVENT_TYPES = Object.keys(eventData) as EventType[]

/** A subscription to all event types, and to types that later versions of the service add. */
export const ALL_EVENTS = '*'
export const SUBSCRIPTIONS = [...EVENT_TYPES, ALL_EVENTS] as const
export type Subscription = (typeof SUBSCRIPTIONS)[number]

/** The default subscriptions, for an endpoint that was created without event types. */
export const STANDARD_EVENTS: readonly EventType[] = [
  'donation.completed',
  'campaign.milestone.reached',
  'campaign.funded',
  'impact.verified',
  'user.verified',
]

/** The JSON body of a webhook request. The header `webhook-id` contains the same id. */
export type Envelope<T extends EventType = EventType> = {
  id: string
  event: T
  created: string
  data: EventData<T>
}
