import { z } from 'zod'
import {
  CampaignFields,
  createCampaign,
  defaultLedgerAccount,
  getCampaign,
  IdOrSlug,
  ListCampaigns,
  listCampaigns,
  MAX_CAMPAIGN_MILESTONES,
  MilestoneDescription,
  MilestoneTitle,
  NewMilestoneStatus,
  screenCampaign,
  VerificationDocs,
} from '../../../domain/campaign/index.ts'
import { moneyText } from '../../../domain/money-input.ts'
import { pageAnswer, pageOf, success } from '../../answers.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_ID, EXAMPLE_LINK } from '../../openapi/samples.ts'
import { route } from '../../route.ts'
import { RequiresBeforeOpening, requiredOf } from '../campaign-body.ts'
import {
  toV1CampaignBody,
  toV1ListedCampaignBody,
  V1Campaign,
  V1ListedCampaign,
} from './campaign-body.ts'

const CreateBody = z.strictObject({
  title: CampaignFields.title,
  description: CampaignFields.description,
  targetAmount: CampaignFields.targetAmount,
  currency: CampaignFields.currency.optional(),
  creatorId: CampaignFields.creatorId.optional(),
  ledgerAccount: CampaignFields.ledgerAccount.optional().meta({
    description:
      'Left out: the first wallet that the creator has linked since their last password reset.',
  }),
  milestones: z
    .array(
      z.strictObject({
        title: MilestoneTitle.optional(),
        description: MilestoneDescription,
        amount: moneyText,
        verificationDocs: VerificationDocs.optional(),
        status: NewMilestoneStatus,
      }),
    )
    .max(MAX_CAMPAIGN_MILESTONES)
    .default([]),
  status: CampaignFields.status.default('active'),
  category: CampaignFields.category.optional(),
  location: CampaignFields.location.optional(),
  creatorName: CampaignFields.creatorName.optional(),
  slug: CampaignFields.slug.optional(),
  endsAt: CampaignFields.endsAt.optional(),
})

const REQUIRED = {
  title: 'Wells for Kitui',
  description: 'Clean water for four villages.',
  targetAmount: '1000',
}

export const v1CampaignOperations = () => [
  route.get('/v1/campaigns', {
    operationId: 'v1ListCampaigns',
    summary: 'Campaigns, newest first unless `sort` says otherwise.',
    auth: 'optional',
    query: ListCampaigns,
    answers: { 200: pageOf('data', V1ListedCampaign) },
    errors: ['invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('data', await listCampaigns(ctx, query), url, toV1ListedCampaignBody),
  }),
  route.post('/v1/campaigns', {
    operationId: 'v1CreateCampaign',
    summary: 'Publish a campaign, or keep it as a draft.',
    auth: 'verified',
    scope: 'campaigns:write',
    body: CreateBody,
    examples: {
      minimal: REQUIRED,
      full: {
        ...REQUIRED,
        currency: 'USDC',
        creatorId: EXAMPLE_ID,
        ledgerAccount: EXAMPLE_ACCOUNT,
        milestones: [
          {
            title: 'First well',
            description: 'Dug and tested.',
            amount: 400,
            verificationDocs: [EXAMPLE_LINK],
            status: 'pending',
          },
        ],
        status: 'active',
        category: 'water',
        location: { country: 'KE', region: 'Kitui', coordinates: [38.01, -1.37] },
        creatorName: 'Kitui Water Trust',
        slug: 'wells-for-kitui',
        endsAt: '2099-12-31T23:59:59.000Z',
      },
    },
    answers: {
      201: success('The campaign.', { data: V1Campaign, requires: RequiresBeforeOpening }),
    },
    errors: [
      'forbidden',
      'conflict',
      'unknown_chain',
      'unknown_currency',
      'invalid_amount',
      'account_in_use',
      'account_required',
    ],
    prepare: ({ ctx, body }) => screenCampaign(ctx, body),
    handler: async ({ ctx, body }) => {
      const ledgerAccount = body.ledgerAccount ?? (await defaultLedgerAccount(ctx, body.creatorId))
      const campaign = await createCampaign(ctx, { ...body, ledgerAccount })
      return {
        status: 201,
        location: `/v1/campaigns/${campaign.id}`,
        body: {
          success: true,
          data: toV1CampaignBody(campaign),
          requires: requiredOf(body.status, campaign),
        },
      }
    },
  }),
  route.get('/v1/campaigns/:id', {
    operationId: 'v1GetCampaign',
    summary: 'One campaign.',
    auth: 'optional',
    params: z.object({ id: IdOrSlug }),
    answers: { 200: { description: 'The campaign.', schema: V1Campaign } },
    handler: async ({ ctx, params }) => ({
      body: toV1CampaignBody(await getCampaign(ctx, params.id)),
    }),
  }),
]
