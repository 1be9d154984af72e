import {
  donate,
  getDonation,
  ListDonations,
  listDonations,
  RecordDonation,
  SetVisibility,
  screenDonation,
  setVisibility,
} from '../../../domain/donations/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_HASH, EXAMPLE_ID, EXAMPLE_WALLET } from '../../openapi/samples.ts'
import { API, type Family } from '../families.ts'
import { Donation, toDonationBody } from './donation-body.ts'

const REQUIRED = {
  campaignId: EXAMPLE_ID,
  amount: { value: '12.50', currency: 'USDC' },
  transaction: { txHash: EXAMPLE_HASH, ledgerAddress: EXAMPLE_ACCOUNT },
}

/** An example body that records a paid donation, with all fields. */
export const FULL_DONATION = {
  ...REQUIRED,
  userId: EXAMPLE_ID,
  transaction: { ...REQUIRED.transaction, logPosition: 'native' },
  type: 'gift',
  donor: { walletAddress: EXAMPLE_WALLET, name: 'Ada Lovelace', message: 'For clean water.' },
}

/** The error codes that a request to record a donation may return, in `/api` and `/v1`. */
export const RECORD_ERRORS: readonly ErrorCode[] = [
  'not_found',
  'campaign_not_active',
  'unknown_currency',
  'invalid_amount',
  'transfer_already_claimed',
  'too_many_pending',
]

/** The operation that lists donations, in `/api` or `/v1`. */
export const listDonationsIn = ({ prefix, operationId, content }: Family) =>
  route.get(`${prefix}/donations`, {
    operationId: operationId('listDonations'),
    summary:
      'Donations whose payment a block holds or held, newest first. Other donations are listed with `status`, and your own donations with `userId`.',
    auth: 'optional',
    query: ListDonations,
    answers: { 200: pageOf(content('donations'), Donation) },
    handler: async ({ ctx, query, url }) =>
      pageAnswer(content('donations'), await listDonations(ctx, query), url, toDonationBody),
  })

/** The operation that returns one donation, in `/api` or `/v1`. */
export const readDonationIn = ({ prefix, operationId }: Family) =>
  route.get(`${prefix}/donations/:id`, {
    operationId: operationId('getDonation'),
    summary: 'One donation, with the reason why it is not completed.',
    auth: 'optional',
    answers: { 200: { description: 'The donation.', schema: Donation } },
    handler: async ({ ctx, params }) => ({
      body: toDonationBody(await getDonation(ctx, params.id)),
    }),
  })

export const donationOperations = () => [
  route.post('/api/donations', {
    operationId: 'recordDonation',
    summary: 'Record a donation that a transaction on the chain made, or will make.',
    auth: 'verified',
    scope: 'donations:write',
    body: RecordDonation,
    examples: { minimal: REQUIRED, full: FULL_DONATION },
    answers: {
      201: success('Recorded.', { donation: Donation }),
      200: success('You recorded it before.', { donation: Donation }),
    },
    errors: RECORD_ERRORS,
    prepare: ({ ctx, body }) => screenDonation(ctx, body),
    handler: async ({ ctx }, screened) => {
      const { donation, created } = await donate(ctx, screened)
      return succeed(
        { donation: toDonationBody(donation) },
        { status: created ? 201 : 200, location: `/api/donations/${donation.id}` },
      )
    },
  }),
  listDonationsIn(API),
  readDonationIn(API),
  route.put('/api/donations/:id/visibility', {
    operationId: 'setDonationVisibility',
    summary: 'Hide the name and message of a donor of your campaign, or show them again.',
    auth: 'verified',
    scope: 'campaigns:write',
    body: SetVisibility,
    examples: { minimal: { hidden: true } },
    answers: { 200: success('The changed donation.', { donation: Donation }) },
    handler: async ({ ctx, params, body }) =>
      succeed({ donation: toDonationBody(await setVisibility(ctx, params.id, body)) }),
  }),
]
