import { z } from 'zod'
import {
  getDonation,
  RecordDonation,
  recordDonation,
  screenDonation,
} from '../../../domain/donation/index.ts'
import { type Operation, operation } from '../../operation.ts'
import { IdParams, Success } from '../../schemas.ts'
import { Donation, toDonationBody } from '../donations.ts'

const NEEDS_TRANSACTION =
  'is needed: make the transfer first, then send its txHash and ledgerAddress'

const CreateBody = RecordDonation.extend({
  transaction: z.object(RecordDonation.shape.transaction.shape, {
    error: ({ input }) => (input === undefined ? NEEDS_TRANSACTION : undefined),
  }),
})

const Recorded = z.object({ success: Success, data: Donation })

export const v1DonationOperations = (): Operation[] => [
  operation({
    method: 'post',
    path: '/v1/donations',
    operationId: 'v1RecordDonation',
    summary: 'Record a donation that a transaction on the chain made, or will make.',
    tag: 'donations',
    auth: 'verified',
    scope: 'donations:write',
    body: CreateBody,
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
        location: `/v1/donations/${donation.id}`,
        body: { success: true, data: toDonationBody(donation) },
      }
    },
  }),
  operation({
    method: 'get',
    path: '/v1/donations/:id',
    operationId: 'v1GetDonation',
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
