import { z } from 'zod'
import {
  DONATION_REASONS,
  type DonationView,
  PAYMENT_STATES,
  type PaymentView,
} from '../../../domain/donation/index.ts'
import { DONATION_STATUSES } from '../../../kernel/statuses.ts'
import { FAILURE_REASONS } from '../../../outbox/events.ts'
import { Id, Money, Time, toMoney, toMoneyOrNull } from '../../schemas.ts'

/** Where a step of a conversion had its price. */
const PriceStep = z
  .object({
    pair: z.string(),
    inverse: z
      .boolean()
      .meta({ description: "Whether the step went against the pair's direction." }),
    price: z.string().meta({ description: 'Of the pair, as a decimal text.' }),
    method: z.enum(['block', 'round', 'fixed']).meta({
      description:
        "Read at the donation's block, found among the feed's rounds by its time, or configured.",
    }),
    feed: z.string().optional().meta({ description: "The feed's contract." }),
    roundId: z.string().optional(),
    answer: z.string().optional(),
    decimals: z.int().optional(),
    updatedAt: Time.optional(),
  })
  .meta({ id: 'PriceStep' })

/** How an intent is to be paid, and what was paid. */
const Payment = z
  .object({
    account: z.string().meta({ description: 'Where to, with its EIP-55 checksum.' }),
    accountId: z.string().meta({ description: 'The same as CAIP-10.' }),
    chainId: z.int(),
    asset: z.string().meta({ description: 'CAIP-19.' }),
    token: z.string().nullable().meta({ description: "Null for the chain's own coin." }),
    amount: z.string().meta({
      description: 'What is to be paid, as a decimal text; never what arrived: that is `received`.',
    }),
    units: z.string().meta({ description: 'The same in base units of the asset.' }),
    currency: z.string(),
    uri: z.string().meta({ description: 'EIP-681, for a link or a QR code.' }),
    txHash: z
      .string()
      .nullable()
      .meta({
        description: 'The hash that you attached, as the wallet returned it: a claim.',
        examples: [null],
      }),
    expiresAt: Time.meta({ description: 'What comes later still counts, as `late`.' }),
    expected: Money,
    received: Money.nullable().meta({
      description: 'Null until a block holds a payment; final once the donation is `completed`.',
    }),
    state: z.enum(PAYMENT_STATES),
    late: z.boolean(),
  })
  .meta({ id: 'Payment' })

const toPaymentBody = (payment: PaymentView | null) =>
  payment === null
    ? null
    : {
        ...payment,
        expected: toMoney(payment.expected),
        received: toMoneyOrNull(payment.received),
      }

export const Donation = z
  .object({
    id: Id,
    userId: Id.nullable().meta({
      description:
        'The account that recorded it first: a claim, until the holder of the sending wallet claims it. Null for those who may not know the donor.',
    }),
    campaignId: Id,
    status: z.enum(DONATION_STATUSES).meta({ examples: ['completed'] }),
    type: z.string().nullable().meta({ description: "The donor's word: a claim." }),
    donor: z
      .object({
        name: z
          .string()
          .nullable()
          .meta({ description: "The donor's word: a claim.", examples: ['Ada Lovelace'] }),
        message: z
          .string()
          .nullable()
          .meta({
            description: "The donor's words, as plain text: a claim.",
            examples: ['For clean water.'],
          }),
        hidden: z.boolean().meta({
          description: 'Hidden from the public by the creator or an administrator.',
          examples: [false],
        }),
      })
      .nullable()
      .meta({ description: 'What the donor wants to be seen with. Null: anonymous, or hidden.' }),
    amount: Money.meta({
      description:
        'What was declared. From the first time that it is `completed` on: what arrived, in its own asset.',
    }),
    declaredAmount: Money.meta({ description: 'What was declared, in every status: a claim.' }),
    confirmedAmount: Money.nullable().meta({
      description:
        'What arrived; null until a block holds it. Not final before `completed`, then the same as `amount`.',
    }),
    creditedAmount: Money.nullable().meta({
      description: "What it counts for, in the campaign's currency; null unless it is `completed`.",
    }),
    discrepancy: z.boolean().meta({
      description:
        'Whether what arrived differs from `declaredAmount`; false unless it is `completed`.',
      examples: [false],
    }),
    price: z.string().nullable().meta({
      description: 'What one unit of what arrived counted for; null where nothing was converted.',
    }),
    priceSource: z
      .array(PriceStep)
      .nullable()
      .meta({ description: 'The steps to `price`; null where only configured prices were used.' }),
    transaction: z
      .object({
        txHash: z.string().meta({
          description:
            'A claim until a block holds the transaction, and of a donation that failed.',
        }),
        originalTxHash: z.string().nullable().meta({
          description: 'As recorded, where the sender replaced that transaction by this one.',
        }),
        replacedBy: z.string().nullable().meta({
          description: 'What took its place without paying the campaign.',
        }),
        ledgerAddress: z.string().meta({
          description:
            'A claim; of a `completed` donation the sender or the recipient of the transfer.',
        }),
        chainId: z.int(),
        blockNumber: z.int().nullable().meta({
          description: 'Of the block that holds the transaction, or the one that replaced it.',
        }),
        logPosition: z
          .union([z.int(), z.literal('native'), z.literal('internal')])
          .nullable()
          .meta({
            description:
              'Which transfer was credited, once it is `completed`. Before that a claim, or null.',
          }),
      })
      .nullable()
      .meta({ description: 'Null while an intent waits for its payment.' }),
    payment: Payment.nullable().meta({
      description: 'Of a donation that was recorded without a transaction.',
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
      .meta({ description: 'Why it is not completed yet.', examples: [null] }),
    reason: z
      .enum(FAILURE_REASONS)
      .nullable()
      .meta({ description: 'Why it failed.', examples: [null] }),
    createdAt: Time,
    completedAt: Time.nullable(),
  })
  .meta({ id: 'Donation' })

export const toDonationBody = (donation: DonationView) => ({
  ...donation,
  amount: toMoney(donation.amount),
  declaredAmount: toMoney(donation.declaredAmount),
  confirmedAmount: toMoneyOrNull(donation.confirmedAmount),
  creditedAmount: toMoneyOrNull(donation.creditedAmount),
  payment: toPaymentBody(donation.payment),
})
