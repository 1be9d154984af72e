import { z } from 'zod'
import {
  ChangeCampaign,
  CreateCampaign,
  changeCampaign,
  createCampaign,
  defaultLedgerAccount,
  deleteDraft,
  getCampaign,
  IdOrSlug,
  ListCampaigns,
  listCampaigns,
  MAX_MILESTONES,
  NewMilestone,
  prepareCampaign,
} from '../../../domain/campaigns/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import type { Examples } from '../../../edge/operation.ts'
import { route } from '../../../edge/route.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_ID, EXAMPLE_LINK, EXAMPLE_WALLET } from '../../openapi/samples.ts'
import { API, type Family, V1 } from '../families.ts'
import {
  API_BODIES,
  Campaign,
  type CampaignBodies,
  RequiresBeforeOpening,
  requiredOf,
  toCampaignBody,
  V1_BODIES,
} from './campaign-body.ts'

const milestonesIn = (family: Family) =>
  z.array(family.body(NewMilestone.shape)).max(MAX_MILESTONES)

const ChangeBody = API.body({
  ...ChangeCampaign.shape,
  milestones: milestonesIn(API).optional(),
}).refine((body) => Object.keys(body).length > 0, { error: 'must name a field to change' })

const REQUIRED = {
  title: 'Wells for Kitui',
  description: 'Clean water for four villages.',
  targetAmount: '1000',
}

const optionalIn = ({ spell }: Family) => ({
  milestones: [
    spell<unknown>({
      title: 'First well',
      description: 'Dug and tested.',
      amount: 400,
      verificationDocs: [EXAMPLE_LINK],
      status: 'pending',
    }),
    spell<unknown>({ title: 'Second well', description: 'Dug and tested.', amount: 600 }),
  ],
  status: 'active',
  category: 'water',
  location: { country: 'KE', region: 'Kitui', coordinates: [38.01, -1.37] },
  creatorName: 'Kitui Water Trust',
  slug: 'wells-for-kitui',
  endsAt: '2099-12-31T23:59:59.000Z',
})

const API_MINIMAL = { ...REQUIRED, ledgerAccount: EXAMPLE_ACCOUNT }
const API_FULL = { ...API_MINIMAL, ...optionalIn(API) }
const CREATOR = { currency: 'USDC', creatorId: EXAMPLE_ID }

const ESCROW = {
  recipient: EXAMPLE_ACCOUNT,
  deadline: '2099-06-30T23:59:59.000Z',
  activateBy: '2099-07-07T23:59:59.000Z',
  expiry: '2099-12-31T23:59:59.000Z',
  verifiers: [EXAMPLE_WALLET],
  quorum: 1,
  surplus: 'donors',
}
const OF_ESCROWS = ['invalid_terms', 'escrow_unsupported', 'escrow_target_too_high'] as const

const DefaultedAccount = CreateCampaign.shape.ledgerAccount.meta({
  description:
    'Default without `escrow`: the first wallet that the creator has linked since the last password reset.',
})

const list = ({ family, ListedCampaign, toListedCampaignBody }: CampaignBodies) =>
  route.get(`${family.prefix}/campaigns`, {
    operationId: family.operationId('listCampaigns'),
    summary: 'Campaigns, newest first, or in the order of `sort`.',
    auth: 'optional',
    query: ListCampaigns,
    answers: { 200: pageOf(family.content('campaigns'), ListedCampaign) },
    handler: async ({ ctx, query, url }) => {
      const page = await listCampaigns(ctx, query)
      return pageAnswer(family.content('campaigns'), page, url, toListedCampaignBody)
    },
  })

type Creation = {
  /** Whether a missing ledger account is the first wallet of the creator. */
  hasDefaultAccount?: boolean
  examples: Examples
  errors?: readonly ErrorCode[]
}

const create = (
  { family, Campaign, toCampaignBody }: CampaignBodies,
  { hasDefaultAccount = false, examples, errors = [] }: Creation,
) =>
  route.post(`${family.prefix}/campaigns`, {
    operationId: family.operationId('createCampaign'),
    summary: 'Publish a campaign, or keep it as a draft.',
    auth: 'verified',
    scope: 'campaigns:write',
    body: family.body({
      ...CreateCampaign.shape,
      ...(hasDefaultAccount ? { ledgerAccount: DefaultedAccount } : {}),
      milestones: milestonesIn(family).default([]),
    }),
    examples,
    answers: {
      201: success('The campaign.', {
        [family.content('campaign')]: Campaign,
        requires: RequiresBeforeOpening,
      }),
    },
    errors: [
      'conflict',
      'unknown_chain',
      'unknown_currency',
      'invalid_amount',
      'account_in_use',
      ...OF_ESCROWS,
      ...errors,
    ],
    prepare: ({ ctx, body }) => prepareCampaign(ctx, body),
    handler: async ({ ctx, body }) => {
      const needsDefault = hasDefaultAccount && !body.escrow && body.ledgerAccount === undefined
      const account = needsDefault
        ? await defaultLedgerAccount(ctx, body.creatorId)
        : body.ledgerAccount
      const campaign = await createCampaign(ctx, { ...body, ledgerAccount: account })
      return succeed(
        {
          [family.content('campaign')]: toCampaignBody(campaign),
          requires: requiredOf(body.status, campaign),
        },
        { location: `${family.prefix}/campaigns/${campaign.id}` },
      )
    },
  })

const read = ({ family, Campaign, toCampaignBody }: CampaignBodies) =>
  route.get(`${family.prefix}/campaigns/:id`, {
    operationId: family.operationId('getCampaign'),
    summary: 'One campaign.',
    auth: 'optional',
    params: z.object({ id: IdOrSlug }),
    answers: { 200: { description: 'The campaign.', schema: Campaign } },
    handler: async ({ ctx, params }) => ({
      body: toCampaignBody(await getCampaign(ctx, params.id)),
    }),
  })

export const campaignOperations = () => [
  create(API_BODIES, {
    examples: {
      minimal: API.spell<unknown>(API_MINIMAL),
      full: API.spell<unknown>({ ...API_FULL, ...CREATOR }),
      withEscrow: API.spell<unknown>({ ...REQUIRED, ...optionalIn(API), escrow: ESCROW }),
    },
  }),
  list(API_BODIES),
  read(API_BODIES),
  route.patch('/api/campaigns/:id', {
    operationId: 'changeCampaign',
    summary:
      'Change your campaign. Its target, milestones, slug and account can change only while it is a draft.',
    auth: 'verified',
    scope: 'campaigns:write',
    body: ChangeBody,
    examples: {
      minimal: { description: 'Clean water for five villages.' },
      full: API.spell<unknown>(API_FULL),
    },
    answers: { 200: success('The changed campaign.', { campaign: Campaign }) },
    errors: [
      'conflict',
      'account_not_proven',
      'account_in_use',
      'unknown_currency',
      'invalid_amount',
      'unknown_chain',
      ...OF_ESCROWS,
      'blocked_for_legal_reasons',
    ],
    handler: async ({ ctx, params, body }) =>
      succeed({ campaign: toCampaignBody(await changeCampaign(ctx, params.id, body)) }),
  }),
  route.delete('/api/campaigns/:id', {
    operationId: 'deleteCampaign',
    summary: 'Delete your draft. An opened campaign cannot be deleted: cancel or complete it.',
    auth: 'verified',
    scope: 'campaigns:write',
    answers: { 204: { description: 'Deleted, with its milestones, updates and reports.' } },
    errors: ['conflict'],
    handler: ({ ctx, params }) => deleteDraft(ctx, params.id),
  }),
]

export const v1CampaignOperations = () => [
  list(V1_BODIES),
  create(V1_BODIES, {
    hasDefaultAccount: true,
    examples: {
      minimal: REQUIRED,
      full: { ...REQUIRED, ...CREATOR, ledgerAccount: EXAMPLE_ACCOUNT, ...optionalIn(V1) },
      withEscrow: { ...REQUIRED, ...optionalIn(V1), escrow: ESCROW },
    },
    errors: ['account_required'],
  }),
  read(V1_BODIES),
]
