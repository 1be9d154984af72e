import { z } from 'zod'
import {
  DONATION_REASONS,
  type DonationView,
  PAYMENT_STATES,
  type PaymentView,
} from '../../../domain/donations/index.ts'
import { component, Id, Money, Time, toMoney, toMoneyOrNull } from '../../../edge/schemas.ts'
import { DONATION_STATUSES } from '../../../kernel/statuses.ts'
import { FAILURE_REASONS } from '../../../outbox/events.ts'
import { PaymentMethod, Refund } from './payment-methods-body.ts'

/** One step of a currency conversion, with the price of this step and the price's source. */
const PriceStep = component('PriceStep', {
  pair: z.string(),
  inverse: z.boolean().describe('Whether the step divides by the price instead of multiplying.'),
  price: z.string().describe('The price of the pair, as a decimal text.'),
  method: z.enum(['block', 'round', 'fixed']).meta({
    description:
      "The source of the price: read at the donation's block, found among the feed's rounds by time, or configured.",
  }),
  feed: z.string().optional().describe('The contract of the feed.'),
  roundId: z.string().optional(),
  answer: z.string().optional(),
  decimals: z.int().optional(),
  updatedAt: Time.optional(),
})

/** The data that a donor needs to pay a donation, and the amount that has arrived. */
const Payment = component('Payment', {
  account: z.string().describe('The account to pay, with its EIP-55 checksum.'),
  accountId: z.string().describe('The same account as CAIP-10.'),
  chainId: z.int(),
  asset: z.string().describe('The id of the asset (CAIP-19).'),
  token: z.string().nullable().describe("The address of the token; null for the chain's own coin."),
  amount: z.string().meta({
    description:
      'The amount to pay, as a decimal text. Its last digits may be this intent’s own. The amount that arrived is `received`.',
  }),
  units: z.string().describe('The same amount in base units of the asset.'),
  currency: z.string(),
  uri: z.string().describe('An EIP-681 link, also for a QR code.'),
  methods: z.array(PaymentMethod).nullable().meta({
    description:
      'The ways to pay an escrow, the best first; empty once a payment arrived or the donation failed. Null for a campaign without an escrow.',
  }),
  txHash: z
    .string()
    .nullable()
    .meta({
      description: "The transaction's hash that the donor attached. It may be wrong.",
      examples: [null],
    }),
  expiresAt: Time.meta({
    description: 'The time at which the intent expires. A later payment still counts, as `late`.',
  }),
  expected: Money,
  received: Money.nullable().meta({
    description:
      'The amount that arrived. Null until a block holds the payment, and final once the donation is `completed`.',
  }),
  state: z.enum(PAYMENT_STATES),
  late: z.boolean(),
})

const toPaymentBody = (payment: PaymentView | null) =>
  payment === null
    ? null
    : {
        ...payment,
        expected: toMoney(payment.expected),
        received: toMoneyOrNull(payment.received),
      }

export const Donation = component('Donation', {
  id: Id,
  userId: Id.nullable().meta({
    description:
      'The account that named the payment first: a claim, until the holder of the sending wallet proves it. Null for guests, and for callers who may not see the donor.',
  }),
  campaignId: Id,
  status: z.enum(DONATION_STATUSES).meta({ examples: ['completed'] }),
  type: z
    .string()
    .nullable()
    .describe('A claim of the donor, shown to others once a block has the payment.'),
  donor: z
    .object({
      name: z
        .string()
        .nullable()
        .meta({ description: 'A claim of the donor.', examples: ['Ada Lovelace'] }),
      message: z
        .string()
        .nullable()
        .meta({
          description: 'A claim of the donor, as plain text.',
          examples: ['For clean water.'],
        }),
      hidden: z.boolean().meta({
        description:
          'Whether the creator or an administrator has hidden name and message from the public.',
        examples: [false],
      }),
    })
    .nullable()
    .meta({
      description:
        'The name and message of the donor. Null: anonymous, hidden, or not shown while no block has the payment.',
    }),
  amount: Money.meta({
    description:
      'The declared amount. After the donation was `completed`: the amount that arrived, in its own asset.',
  }),
  declaredAmount: Money.describe('A claim of the donor: the declared amount, in every status.'),
  confirmedAmount: Money.nullable().meta({
    description:
      'The amount that arrived; null until a block holds the payment. Can change until the donation is `completed`, and is then the same as `amount`.',
  }),
  creditedAmount: Money.nullable().meta({
    description: "The amount that counts, in the campaign's currency; null unless `completed`.",
  }),
  refundedAmount: Money.nullable().meta({
    description: 'The part of the credit that an escrow has paid back; null without a refund.',
  }),
  discrepancy: z.boolean().meta({
    description:
      'Whether the arrived amount differs from `declaredAmount`; false unless the donation is `completed`.',
    examples: [false],
  }),
  price: z.string().nullable().meta({
    description:
      "The price of one unit of the arrived asset in the campaign's currency; null if the amount was not converted.",
  }),
  priceSource: z.array(PriceStep).nullable().meta({
    description:
      'The prices from which `price` was computed; null if only configured prices were used.',
  }),
  transaction: z
    .object({
      txHash: z.string().meta({
        description:
          "The transaction's hash. Only a claim until a block holds the transaction, and if the donation failed.",
      }),
      originalTxHash: z.string().nullable().meta({
        description: 'The recorded hash, if the sender replaced its transaction by this one.',
      }),
      replacedBy: z.string().nullable().meta({
        description: 'The replacement, which did not pay the campaign.',
      }),
      ledgerAddress: z.string().meta({
        description:
          'An address that the donor claims. For a `completed` donation, the sender or the recipient of the transfer.',
      }),
      chainId: z.int(),
      blockNumber: z.int().nullable().meta({
        description: 'The number of the block that holds the transaction or its replacement.',
      }),
      logPosition: z
        .union([z.int(), z.literal('native'), z.literal('internal')])
        .nullable()
        .meta({
          description:
            'The position of the credited transfer if the donation is `completed`. Before that a claim of the donor, or null.',
        }),
    })
    .nullable()
    .describe('Null while an intent waits for its payment.'),
  payment: Payment.nullable().meta({
    description: 'The payment of a donation that was recorded without a transaction, or null.',
  }),
  refund: Refund.nullable().meta({
    description:
      'Who refunds the transfer if the escrow fails. Null without an escrow or a transfer.',
  }),
  confirmation: z
    .object({
      reason: z.enum(DONATION_REASONS),
      confirmations: z.int(),
      required: z.int().nullable(),
      blockNumber: z.int().nullable(),
      nextCheckAt: Time.nullable(),
    })
    .nullable()
    .meta({ description: 'The reason why the donation is not completed.', examples: [null] }),
  reason: z
    .enum(FAILURE_REASONS)
    .nullable()
    .meta({ description: 'The reason of the failure.', examples: [null] }),
  createdAt: Time,
  completedAt: Time.nullable(),
})

export const toDonationBody = ({ isProven: _, paidAt: __, ...donation }: DonationView) => ({
  ...donation,
  amount: toMoney(donation.amount),
  declaredAmount: toMoney(donation.declaredAmount),
  confirmedAmount: toMoneyOrNull(donation.confirmedAmount),
  creditedAmount: toMoneyOrNull(donation.creditedAmount),
  refundedAmount: toMoneyOrNull(donation.refundedAmount),
  payment: toPaymentBody(donation.payment),
})
