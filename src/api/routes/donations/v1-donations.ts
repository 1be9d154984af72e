import { z } from 'zod'
import {
  ChangeDonation,
  ClaimDonation,
  cancelIntent,
  changeDonation,
  claimDonation,
  donate,
  RecordDonation,
  screenDonation,
} from '../../../domain/donations/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Time } from '../../../edge/schemas.ts'
import {
  EXAMPLE_CLAIM_TOKEN,
  EXAMPLE_HASH,
  EXAMPLE_ID,
  EXAMPLE_WALLET,
} from '../../openapi/samples.ts'
import { V1 } from '../families.ts'
import { Donation, toDonationBody } from './donation-body.ts'
import { FULL_DONATION, listDonationsIn, RECORD_ERRORS, readDonationIn } from './donations.ts'

const CreateBody = RecordDonation.extend({
  transaction: RecordDonation.shape.transaction.optional().meta({
    description:
      'Leave this field out for an intent. The next transfer from `donor.walletAddress` settles the intent.',
  }),
})

const INTENT = {
  campaignId: EXAMPLE_ID,
  amount: { value: '12.50', currency: 'USDC' },
  donor: { walletAddress: EXAMPLE_WALLET },
}

const ClaimLink = component('ClaimLink', {
  token: z.string().meta({ examples: [EXAMPLE_CLAIM_TOKEN] }),
  url: z.string().meta({
    description: 'A link for the donor, which works only once. The token is behind `#`.',
    examples: [`https://api.example.org/claim#${EXAMPLE_CLAIM_TOKEN}`],
  }),
  expiresAt: Time,
})

const RECORDED = {
  data: Donation,
  claim: ClaimLink.nullable().meta({
    description: 'The claim link, only for a guest. Only this answer shows the link.',
  }),
}

export const v1DonationOperations = () => [
  route.post('/v1/donations', {
    operationId: 'v1RecordDonation',
    summary:
      'Record a donation that a transaction on the chain made; or announce a payment, and get payment instructions.',
    auth: 'guest',
    scope: 'donations:write',
    body: CreateBody,
    examples: { minimal: INTENT, full: FULL_DONATION },
    answers: {
      201: success('Recorded; `payment` says how to pay it.', RECORDED),
      200: success('You recorded it before.', RECORDED),
    },
    errors: RECORD_ERRORS,
    prepare: ({ ctx, body }) => screenDonation(ctx, body),
    handler: async ({ ctx }, screened) => {
      const { donation, created, claim } = await donate(ctx, screened)
      return succeed(
        { data: toDonationBody(donation), claim },
        { status: created ? 201 : 200, location: `/v1/donations/${donation.id}` },
      )
    },
  }),
  route.post('/v1/donations/claim', {
    operationId: 'v1ClaimDonation',
    summary: 'Move a donation of a guest to your account, by its claim link.',
    auth: 'verified',
    scope: 'donations:write',
    body: ClaimDonation,
    examples: { minimal: { token: EXAMPLE_CLAIM_TOKEN } },
    answers: { 200: success('The donation belongs to your account.', { data: Donation }) },
    errors: ['not_found', 'transfer_already_claimed'],
    handler: async ({ ctx, body }) =>
      succeed({ data: toDonationBody(await claimDonation(ctx, body)) }),
  }),
  listDonationsIn(V1),
  readDonationIn(V1),
  route.patch('/v1/donations/:id', {
    operationId: 'v1ChangeDonation',
    summary:
      'Change your shown name and message; or attach the hash that your wallet returned to an intent, so that the payment settles this intent.',
    auth: 'guest',
    scope: 'donations:write',
    body: ChangeDonation,
    examples: {
      minimal: { txHash: EXAMPLE_HASH },
      full: {
        txHash: EXAMPLE_HASH,
        donor: { name: 'Ada Lovelace', message: null },
        claimToken: EXAMPLE_CLAIM_TOKEN,
      },
    },
    answers: { 200: success('Changed.', { data: Donation }) },
    errors: ['conflict'],
    handler: async ({ ctx, params, body }) =>
      succeed({ data: toDonationBody(await changeDonation(ctx, params.id, body)) }),
  }),
  route.delete('/v1/donations/:id', {
    operationId: 'v1CancelIntent',
    summary: 'Cancel an unpaid intent. A later payment is a deposit.',
    auth: 'verified',
    scope: 'donations:write',
    answers: { 204: { description: 'Cancelled: `failed` with the reason `cancelled`.' } },
    errors: ['conflict'],
    handler: ({ ctx, params }) => cancelIntent(ctx, params.id),
  }),
]
