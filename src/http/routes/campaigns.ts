import { z } from 'zod'
import {
  CampaignFields,
  changeCampaign,
  createCampaign,
  deleteDraft,
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
} from '../../domain/campaign/index.ts'
import { moneyText } from '../../domain/money-input.ts'
import { CAMPAIGN_STATUSES } from '../../kernel/statuses.ts'
import { pageAnswer, pageOf, succeed, success } from '../answers.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_ID, EXAMPLE_LINK } from '../openapi/samples.ts'
import { route } from '../route.ts'
import {
  Campaign,
  ListedCampaign,
  RequiresBeforeOpening,
  requiredOf,
  toCampaignBody,
  toListedCampaignBody,
} from './campaign-body.ts'

/** The interface's spelling of a campaign. */
const CreateBody = z.strictObject({
  title: CampaignFields.title,
  description: CampaignFields.description,
  target_amount: CampaignFields.targetAmount,
  currency: CampaignFields.currency.optional(),
  creator_id: CampaignFields.creatorId.optional(),
  ledger_account: CampaignFields.ledgerAccount,
  milestones: z
    .array(
      z.strictObject({
        title: MilestoneTitle.optional(),
        description: MilestoneDescription,
        amount: moneyText,
        verification_docs: VerificationDocs.optional(),
        status: NewMilestoneStatus,
      }),
    )
    .max(MAX_CAMPAIGN_MILESTONES)
    .default([]),
  status: CampaignFields.status.default('active'),
  category: CampaignFields.category.optional(),
  location: CampaignFields.location.optional(),
  creator_name: CampaignFields.creatorName.optional(),
  slug: CampaignFields.slug.optional(),
  ends_at: CampaignFields.endsAt.optional(),
})

/** What is left out stays as it is; null clears. */
const ChangeBody = CreateBody.omit({ creator_id: true, currency: true })
  .extend({
    milestones: CreateBody.shape.milestones.unwrap(),
    status: z.enum(CAMPAIGN_STATUSES),
    category: CampaignFields.category.nullable(),
    location: CampaignFields.location.nullable(),
    creator_name: CampaignFields.creatorName.nullable(),
    ends_at: CampaignFields.endsAt.nullable(),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { error: 'must name something to change' })

const REQUIRED = {
  title: 'Wells for Kitui',
  description: 'Clean water for four villages.',
  target_amount: '1000',
  ledger_account: EXAMPLE_ACCOUNT,
}

const OPTIONAL = {
  milestones: [
    {
      title: 'First well',
      description: 'Dug and tested.',
      amount: 400,
      verification_docs: [EXAMPLE_LINK],
      status: 'pending',
    },
  ],
  status: 'active',
  category: 'water',
  location: { country: 'KE', region: 'Kitui', coordinates: [38.01, -1.37] },
  creator_name: 'Kitui Water Trust',
  slug: 'wells-for-kitui',
  ends_at: '2099-12-31T23:59:59.000Z',
}

type MilestoneBody = z.output<typeof CreateBody>['milestones'][number]

const toMilestone = ({ verification_docs: verificationDocs, ...milestone }: MilestoneBody) => ({
  ...milestone,
  verificationDocs,
})

export const campaignOperations = () => [
  route.post('/api/campaigns', {
    operationId: 'createCampaign',
    summary: 'Publish a campaign, or keep it as a draft.',
    auth: 'verified',
    scope: 'campaigns:write',
    body: CreateBody,
    examples: {
      minimal: REQUIRED,
      full: { ...REQUIRED, ...OPTIONAL, currency: 'USDC', creator_id: EXAMPLE_ID },
    },
    answers: {
      201: success('The campaign.', { campaign: Campaign, requires: RequiresBeforeOpening }),
    },
    errors: [
      'forbidden',
      'conflict',
      'unknown_chain',
      'unknown_currency',
      'invalid_amount',
      'account_in_use',
    ],
    prepare: ({ ctx, body }) =>
      screenCampaign(ctx, { creatorId: body.creator_id, ledgerAccount: body.ledger_account }),
    handler: async ({ ctx, body }) => {
      const campaign = await createCampaign(ctx, {
        title: body.title,
        description: body.description,
        targetAmount: body.target_amount,
        currency: body.currency,
        creatorId: body.creator_id,
        ledgerAccount: body.ledger_account,
        milestones: body.milestones.map(toMilestone),
        status: body.status,
        category: body.category,
        location: body.location,
        creatorName: body.creator_name,
        slug: body.slug,
        endsAt: body.ends_at,
      })
      return {
        status: 201,
        location: `/api/campaigns/${campaign.id}`,
        body: {
          success: true,
          campaign: toCampaignBody(campaign),
          requires: requiredOf(body.status, campaign),
        },
      }
    },
  }),
  route.get('/api/campaigns', {
    operationId: 'listCampaigns',
    summary: 'Campaigns, newest first unless `sort` says otherwise.',
    auth: 'optional',
    query: ListCampaigns,
    answers: { 200: pageOf('campaigns', ListedCampaign) },
    errors: ['invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('campaigns', await listCampaigns(ctx, query), url, toListedCampaignBody),
  }),
  route.get('/api/campaigns/:id', {
    operationId: 'getCampaign',
    summary: 'One campaign.',
    auth: 'optional',
    params: z.object({ id: IdOrSlug }),
    answers: { 200: { description: 'The campaign.', schema: Campaign } },
    handler: async ({ ctx, params }) => ({
      body: toCampaignBody(await getCampaign(ctx, params.id)),
    }),
  }),
  route.patch('/api/campaigns/:id', {
    operationId: 'changeCampaign',
    summary:
      'Change your campaign; its target, milestones, slug and account only while it is a draft.',
    auth: 'verified',
    scope: 'campaigns:write',
    body: ChangeBody,
    examples: {
      minimal: { description: 'Clean water for five villages.' },
      full: { ...REQUIRED, ...OPTIONAL },
    },
    answers: { 200: success('As it is now.', { campaign: Campaign }) },
    errors: [
      'forbidden',
      'conflict',
      'account_not_proven',
      'account_in_use',
      'invalid_amount',
      'unknown_chain',
      'blocked_for_legal_reasons',
    ],
    handler: async ({ ctx, params, body }) => {
      const campaign = await changeCampaign(ctx, params.id, {
        title: body.title,
        description: body.description,
        category: body.category,
        location: body.location,
        status: body.status,
        creatorName: body.creator_name,
        slug: body.slug,
        endsAt: body.ends_at,
        targetAmount: body.target_amount,
        ledgerAccount: body.ledger_account,
        milestones: body.milestones?.map(toMilestone),
      })
      return succeed({ campaign: toCampaignBody(campaign) })
    },
  }),
  route.delete('/api/campaigns/:id', {
    operationId: 'deleteCampaign',
    summary: 'Delete a draft of yours. A campaign that was open stays: cancel or complete it.',
    auth: 'verified',
    scope: 'campaigns:write',
    answers: { 204: { description: 'It is gone, with its milestones, updates and reports.' } },
    errors: ['forbidden', 'conflict'],
    handler: ({ ctx, params }) => deleteDraft(ctx, params.id),
  }),
]
