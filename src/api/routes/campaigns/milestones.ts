import { z } from 'zod'
import {
  checkVerification,
  Decision,
  Evidence,
  EvidenceItem,
  getMilestone,
  getVerification,
  type MilestoneState,
  type MilestoneVerification,
  VerifyMilestone,
  verifyMilestone,
} from '../../../domain/campaigns/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import {
  Amount,
  component,
  EVIDENCE,
  Id,
  Money,
  Success,
  Time,
  toAmountOrNull,
  toMoney,
} from '../../../edge/schemas.ts'
import {
  EXAMPLE_EVIDENCE,
  EXAMPLE_ID,
  EXAMPLE_SIGNATURE,
  EXAMPLE_WALLET,
} from '../../openapi/samples.ts'
import { API, type Family, V1 } from '../families.ts'
import { API_BODIES, type CampaignBodies, V1_BODIES } from './campaign-body.ts'
import { Hash, TypedData } from './typed-data-body.ts'

const AccountAsset = component('AccountAsset', {
  asset: z.string().describe('The id of the asset (CAIP-19).'),
  symbol: z.string(),
  balance: Amount.nullable().meta({
    description:
      'The balance of the account on the chain: proven, or for a token by a quorum of nodes. Null if it is not known yet.',
  }),
  balanceBlock: z.int().nullable().describe('The final block of the balance.'),
  released: Amount.nullable().meta({
    description:
      "The amount that milestones have released; null if the asset is not the campaign's currency.",
  }),
  missing: Amount.nullable().meta({
    description:
      'The amount that came in up to `balanceBlock`, and is neither in the account nor released. The service refuses nothing because of this amount.',
  }),
})

const State = component('MilestoneState', {
  id: Id,
  campaignId: Id,
  title: z.string().nullable(),
  status: z.enum(['pending', 'reached', 'verified', 'released', 'rejected']),
  amount: Money,
  round: z.int().describe('The number of rejections so far. The verifiers sign this number too.'),
  required: z.int().describe('The number of verifiers that the milestone needs.'),
  approvals: z.int().describe('The number of verifiers who approved in this round.'),
  missing: z.int().describe('The number of verifiers who still must approve.'),
  verifiedAt: Time.nullable(),
  releasedAt: Time.nullable(),
  assets: z.array(AccountAsset).describe("The assets of the campaign's account."),
})

const Verification = component('MilestoneVerification', {
  id: Id,
  campaignId: Id,
  milestoneId: Id,
  status: Decision,
  round: z.int(),
  evidence: z.array(EvidenceItem).describe(EVIDENCE),
  evidenceHash: Hash.describe('keccak256 of the evidence in the form of RFC 8785.'),
  verifierId: Id,
  signer: z.string(),
  signature: z.string(),
  method: z.enum(['ecdsa', 'eip1271', 'eip6492']),
  blockNumber: z.int().nullable().describe('The block of a contract wallet call.'),
  createdAt: Time,
})

const Verifications = z.object({
  milestone: State,
  verifications: z.array(Verification),
  evidenceHash: Hash.nullable(),
  typedData: TypedData.nullable().describe('Null if no evidence was given.'),
})

const toStateBody = (milestone: MilestoneState) => ({
  ...milestone,
  amount: toMoney(milestone.amount),
  assets: milestone.assets.map((one) => ({
    ...one,
    balance: toAmountOrNull(one.balance),
    released: toAmountOrNull(one.released),
    missing: toAmountOrNull(one.missing),
  })),
})

const toVerificationsBody = (view: MilestoneVerification) => ({
  ...view,
  milestone: toStateBody(view.milestone),
})

const MAX_QUERY_EVIDENCE = 8_000

/** Evidence as JSON text in the query. Callers must send longer evidence in a POST request. */
const EvidenceText = z
  .string()
  .max(MAX_QUERY_EVIDENCE)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not valid JSON' })
      return z.NEVER
    }
  })
  .pipe(Evidence)
  .describe('The evidence, as a JSON array.')

const FULL_EVIDENCE = EXAMPLE_EVIDENCE.map((item) => ({
  ...item,
  description: 'The invoice of the driller.',
}))

/** Example bodies of a request for the typed data that a verifier signs. */
const PREPARE_EXAMPLES = {
  minimal: { evidence: EXAMPLE_EVIDENCE },
  full: { status: 'rejected', evidence: FULL_EVIDENCE },
}

const OF_MILESTONE = { campaignId: EXAMPLE_ID, milestoneId: EXAMPLE_ID }

/** Example bodies of a request that verifies or rejects a milestone, in `/api` and `/v1`. */
const VERIFY_EXAMPLES = {
  minimal: {
    ...OF_MILESTONE,
    verification: {
      status: 'completed',
      evidence: EXAMPLE_EVIDENCE,
      verifierSignature: EXAMPLE_SIGNATURE,
    },
  },
  full: {
    ...OF_MILESTONE,
    verification: {
      status: 'rejected',
      evidence: FULL_EVIDENCE,
      verifierSignature: EXAMPLE_SIGNATURE,
      verifierAddress: EXAMPLE_WALLET,
    },
  },
}

const verify = ({ prefix, operationId }: Family) => {
  const isApi = prefix === '/api'
  const fields: z.ZodRawShape = isApi
    ? { verification: Verification, milestone: State }
    : { data: Verification.extend({ milestone: State }) }
  return route.post(`${prefix}/milestones/verify`, {
    operationId: operationId('verifyMilestone'),
    summary:
      'Verify or reject a reached milestone by a signature. The last needed signature releases its funds; with an escrow, it allows the release. An escrow below its target takes only rejections.',
    auth: 'verified',
    scope: 'milestones:verify',
    body: VerifyMilestone,
    examples: VERIFY_EXAMPLES,
    answers: {
      201: success('Recorded; `milestone.missing` verifiers are still missing.', fields),
      200: success('This verifier sent the same decision before.', fields),
    },
    errors: [
      'not_found',
      'milestone_not_reached',
      'campaign_not_active',
      'escrow_expired',
      'invalid_signature',
      'conflict',
    ],
    prepare: ({ ctx, body }) => checkVerification(ctx, body),
    handler: async ({ ctx }, checked) => {
      const { verification, created, ...rest } = await verifyMilestone(ctx, checked)
      const milestone = toStateBody(rest.milestone)
      return succeed(
        isApi ? { verification, milestone } : { data: { ...verification, milestone } },
        {
          status: created ? 201 : 200,
          location: `/api/milestones/${milestone.id}/verification`,
        },
      )
    },
  })
}

const read = ({ family, SingleMilestone, toMilestoneBody }: CampaignBodies) =>
  route.get(`${family.prefix}/milestones/:id`, {
    operationId: family.operationId('getMilestone'),
    summary: 'One milestone.',
    auth: 'optional',
    answers: { 200: { description: 'The milestone.', schema: SingleMilestone } },
    handler: async ({ ctx, params }) => ({
      body: toMilestoneBody(await getMilestone(ctx, params.id)),
    }),
  })

export const milestoneOperations = () => [
  read(API_BODIES),
  read(V1_BODIES),
  route.get('/api/milestones/:id/verification', {
    operationId: 'getMilestoneVerification',
    summary:
      "The state of a milestone's verification; with `evidence`, the typed data to sign. An escrow below its target has it only for rejections.",
    auth: 'optional',
    query: z.strictObject({
      status: Decision.default('completed'),
      evidence: EvidenceText.optional(),
    }),
    answers: { 200: { description: 'The current state.', schema: Verifications } },
    errors: ['milestone_not_reached'],
    handler: async ({ ctx, params, query: { status, evidence } }) => ({
      body: toVerificationsBody(await getVerification(ctx, params.id, { status, evidence })),
    }),
  }),
  route.post('/api/milestones/:id/verification', {
    operationId: 'prepareMilestoneVerification',
    summary: 'The typed data to sign, for evidence of any size. Stores nothing.',
    auth: 'optional',
    scope: 'milestones:verify',
    body: z.strictObject({ status: Decision.default('completed'), evidence: Evidence }),
    examples: PREPARE_EXAMPLES,
    answers: {
      200: {
        description: 'The typed data to sign.',
        schema: Verifications.extend({ success: Success }),
      },
    },
    errors: ['milestone_not_reached'],
    handler: async ({ ctx, params, body: { status, evidence } }) =>
      succeed(toVerificationsBody(await getVerification(ctx, params.id, { status, evidence }))),
  }),
  verify(API),
  verify(V1),
]
