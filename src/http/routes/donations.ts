import { z } from 'zod'
import {
  DONATION_STATUSES,
  type DonationView,
  getDonation,
  ListDonations,
  listDonations,
  RecordDonation,
  recordDonation,
  screenDonation,
} from '../../domain/donation/index.ts'
import { type Operation, operation } from '../operation.ts'
import { pageAnswer } from '../paging.ts'
import {
  Id,
  IdParams,
  Money,
  Pagination,
  Success,
  Time,
  toMoney,
  toMoneyOrNull,
} from '../schemas.ts'

export const Donation = z
  .object({
    id: Id,
    userId: Id.nullable().meta({ description: 'Null for those who may not know the donor.' }),
    campaignId: Id,
    status: z.enum(DONATION_STATUSES),
    type: z.string().nullable(),
    amount: Money.meta({ description: 'As declared.' }),
    confirmedAmount: Money.nullable().meta({ description: 'What arrived.' }),
    creditedAmount: Money.nullable().meta({ description: "In the campaign's currency." }),
    discrepancy: z
      .boolean()
      .meta({ description: 'Whether what arrived differs from the declared.' }),
    transaction: z.object({
      txHash: z.string(),
      ledgerAddress: z.string(),
      chainId: z.int(),
      blockNumber: z.int().nullable(),
      logPosition: z.union([z.int(), z.literal('native')]).nullable(),
    }),
    confirmation: z
      .object({
        reason: z.string(),
        confirmations: z.int(),
        required: z.int().nullable(),
        blockNumber: z.int().nullable(),
        nextCheckAt: Time.nullable(),
      })
      .nullable()
      .meta({ description: 'Why it is not completed yet.' }),
    reason: z.string().nullable().meta({ description: 'Why it failed.' }),
    createdAt: Time,
    completedAt: Time.nullable(),
  })
  .meta({ id: 'Donation' })

export const toDonationBody = (donation: DonationView) => ({
  id: donation.id,
  userId: donation.userId,
  campaignId: donation.campaignId,
  status: donation.status,
  type: donation.type,
  amount: toMoney(donation.amount),
  confirmedAmount: toMoneyOrNull(donation.confirmedAmount),
  creditedAmount: toMoneyOrNull(donation.creditedAmount),
  discrepancy: donation.discrepancy,
  transaction: donation.transaction,
  confirmation: donation.confirmation,
  reason: donation.reason,
  createdAt: donation.createdAt,
  completedAt: donation.completedAt,
})

const Recorded = z.object({ success: Success, donation: Donation })

export const donationOperations = (): Operation[] => [
  operation({
    method: 'post',
    path: '/api/donations',
    operationId: 'recordDonation',
    summary: 'Record a donation that a transaction on the chain made, or will make.',
    tag: 'donations',
    auth: 'verified',
    scope: 'donations:write',
    body: RecordDonation,
    answers: {
      201: { description: 'Recorded.', schema: Recorded },
      200: { description: 'You had recorded it before.', schema: Recorded },
    },
    errors: [
      'forbidden',
      'not_found',
      'campaign_not_active',
      'unknown_currency',
      'invalid_amount',
      'transfer_already_claimed',
    ],
    prepare: ({ ctx, body }) => screenDonation(ctx, body),
    handler: async ({ ctx, body }) => {
      const { donation, created } = await recordDonation(ctx, body)
      return {
        status: created ? 201 : 200,
        location: `/api/donations/${donation.id}`,
        body: { success: true, donation: toDonationBody(donation) },
      }
    },
  }),
  operation({
    method: 'get',
    path: '/api/donations',
    operationId: 'listDonations',
    summary: 'Donations, newest first. By `userId` only your own.',
    tag: 'donations',
    auth: 'optional',
    query: ListDonations,
    answers: {
      200: {
        description: 'One page.',
        schema: z.object({
          success: Success,
          donations: z.array(Donation),
          pagination: Pagination,
        }),
      },
    },
    errors: ['forbidden', 'invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('donations', await listDonations(ctx, query), url, toDonationBody),
  }),
  operation({
    method: 'get',
    path: '/api/donations/:id',
    operationId: 'getDonation',
    summary: 'One donation, and why it is not completed yet.',
    tag: 'donations',
    auth: 'optional',
    params: IdParams,
    answers: { 200: { description: 'The donation.', schema: Donation } },
    handler: async ({ ctx, params }) => ({
      status: 200,
      body: toDonationBody(await getDonation(ctx, params.id)),
    }),
  }),
]
