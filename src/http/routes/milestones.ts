import { z } from 'zod'
import { getMilestone, type SingleMilestoneView } from '../../domain/campaign/index.ts'
import {
  type CheckedVerification,
  checkVerification,
  DECISIONS,
  Decision,
  Evidence,
  EvidenceItem,
  getVerification,
  type MilestoneState,
  type MilestoneVerification,
  type VerificationView,
  VerifyMilestone,
  verifyMilestone,
} from '../../domain/milestone/index.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { jsonDecimal } from '../../kernel/json.ts'
import { succeed } from '../answers.ts'
import type { Call, Untagged } from '../operation.ts'
import type { Answer } from '../outcome.ts'
import { route } from '../route.ts'
import { Amount, EVIDENCE, Id, Money, Success, Time, toMoney } from '../schemas.ts'
import { SingleMilestone, toSingleMilestoneBody } from './campaign-body.ts'
import { PREPARE_EXAMPLES, VERIFY_EXAMPLES } from './milestone-examples.ts'
import { toV1MilestoneBody, V1SingleMilestone } from './v1/campaign-body.ts'

const Hash = z.string().regex(/^0x[0-9a-f]{64}$/)

const AccountAsset = z
  .object({
    asset: z.string().meta({ description: 'CAIP-19.' }),
    symbol: z.string(),
    balance: Amount.nullable().meta({
      description:
        'What the account holds by the chain: proven, or for a token as a quorum of nodes says. Null where it is not known yet.',
    }),
    balanceBlock: z.int().nullable().meta({ description: 'The final block of that balance.' }),
    released: Amount.nullable().meta({
      description:
        "What milestones have released of it; null where the campaign's currency is another one.",
    }),
    missing: Amount.nullable().meta({
      description:
        'What came in up to that block, and is neither there nor released. It refuses nothing.',
    }),
  })
  .meta({ id: 'AccountAsset' })

const State = z
  .object({
    id: Id,
    campaignId: Id,
    title: z.string().nullable(),
    status: z.enum(['pending', 'reached', 'verified', 'released', 'rejected']),
    amount: Money,
    round: z.int().meta({ description: 'Counts rejections; part of what is signed.' }),
    required: z.int().meta({ description: 'How many verifiers it needs.' }),
    approvals: z.int().meta({ description: 'How many have approved in this round.' }),
    missing: z.int().meta({ description: 'How many are missing.' }),
    verifiedAt: Time.nullable(),
    releasedAt: Time.nullable(),
    assets: z.array(AccountAsset).meta({ description: "Of the campaign's account." }),
  })
  .meta({ id: 'MilestoneState' })

const Verification = z
  .object({
    id: Id,
    campaignId: Id,
    milestoneId: Id,
    status: z.enum(DECISIONS),
    round: z.int(),
    evidence: z.array(EvidenceItem).meta({ description: EVIDENCE }),
    evidenceHash: Hash.meta({ description: 'keccak256 of the evidence as RFC 8785 writes it.' }),
    verifierId: Id,
    signer: z.string(),
    signature: z.string(),
    method: z.enum(['ecdsa', 'eip1271', 'eip6492']),
    blockNumber: z.int().nullable().meta({ description: 'At which a contract wallet was asked.' }),
    createdAt: Time,
  })
  .meta({ id: 'MilestoneVerification' })

const TypedData = z
  .object({
    domain: z.object({ name: z.string(), version: z.string(), chainId: z.int() }),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    message: z.object({
      campaignId: Id,
      milestoneId: Id,
      round: z.int(),
      status: z.enum(DECISIONS),
      evidenceHash: Hash,
    }),
  })
  .meta({ id: 'TypedData', description: 'For `eth_signTypedData_v4` (EIP-712).' })

const Verifications = z.object({
  milestone: State,
  verifications: z.array(Verification),
  evidenceHash: Hash.nullable(),
  typedData: TypedData.nullable().meta({ description: 'Null where no evidence was given.' }),
})

const toStateBody = (milestone: MilestoneState) => ({
  ...milestone,
  amount: toMoney(milestone.amount),
  assets: milestone.assets.map((one) => ({
    ...one,
    balance: toAmount(one.balance),
    released: toAmount(one.released),
    missing: toAmount(one.missing),
  })),
})

const toAmount = (text: string | null) => (text === null ? null : jsonDecimal(text))

const toVerificationsBody = ({ milestone, verifications, toSign }: MilestoneVerification) => ({
  milestone: toStateBody(milestone),
  verifications,
  evidenceHash: toSign?.evidenceHash ?? null,
  typedData: toSign?.typedData ?? null,
})

const MAX_QUERY_EVIDENCE = 8_000

/** The evidence as JSON in the query; what is too long for an address goes by POST. */
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
  .meta({ description: 'The evidence, as a JSON array.' })

const VERIFY_ERRORS: readonly ErrorCode[] = [
  'forbidden',
  'not_found',
  'milestone_not_reached',
  'campaign_not_active',
  'conflict',
]

type Path = '/api/milestones/verify' | '/v1/milestones/verify'

/**
 * One verification under either family's path. A refused signature is refused only by the handler,
 * so that a repetition with an Idempotency-Key still gets its stored answer.
 */
const verifyOperation = (
  path: Path,
  operationId: string,
  schema: z.ZodType,
  toBody: (verification: VerificationView, milestone: MilestoneState) => unknown,
): Untagged =>
  route.post(path, {
    operationId,
    summary:
      'Verify or reject a reached milestone by a signature; the last one releases its funds.',
    auth: 'verified',
    scope: 'milestones:verify',
    body: VerifyMilestone,
    examples: VERIFY_EXAMPLES,
    answers: {
      201: { description: 'Recorded; `milestone.missing` verifiers are still missing.', schema },
      200: { description: 'This verifier had decided so before.', schema },
    },
    errors: VERIFY_ERRORS,
    prepare: ({
      ctx,
      body,
    }: Call<undefined, undefined, VerifyMilestone>): Promise<CheckedVerification> =>
      checkVerification(ctx, body),
    handler: async ({ ctx }, checked): Promise<Answer> => {
      const { verification, milestone, created } = await verifyMilestone(ctx, checked)
      return {
        status: created ? 201 : 200,
        location: `/api/milestones/${milestone.id}/verification`,
        body: toBody(verification, milestone),
      }
    },
  })

/** One read under either family's path. */
const readOperation = (
  path: '/api/milestones/:id' | '/v1/milestones/:id',
  operationId: string,
  schema: z.ZodType,
  toBody: (milestone: SingleMilestoneView) => unknown,
): Untagged =>
  route.get(path, {
    operationId,
    summary: 'One milestone.',
    auth: 'optional',
    answers: { 200: { description: 'The milestone.', schema } },
    handler: async ({ ctx, params }) => ({ body: toBody(await getMilestone(ctx, params.id)) }),
  })

export const milestoneOperations = () => [
  readOperation('/api/milestones/:id', 'getMilestone', SingleMilestone, toSingleMilestoneBody),
  readOperation('/v1/milestones/:id', 'v1GetMilestone', V1SingleMilestone, toV1MilestoneBody),
  route.get('/api/milestones/:id/verification', {
    operationId: 'getMilestoneVerification',
    summary: 'Where the verification of a milestone stands, and with `evidence` what to sign.',
    auth: 'optional',
    query: z.strictObject({
      status: Decision.default('completed'),
      evidence: EvidenceText.optional(),
    }),
    answers: { 200: { description: 'As it is now.', schema: Verifications } },
    handler: async ({ ctx, params, query: { status, evidence } }) => ({
      body: toVerificationsBody(await getVerification(ctx, params.id, { status, evidence })),
    }),
  }),
  route.post('/api/milestones/:id/verification', {
    operationId: 'prepareMilestoneVerification',
    summary: 'The typed data to sign for evidence of any size; writes nothing.',
    auth: 'optional',
    scope: 'milestones:verify',
    body: z.strictObject({ status: Decision.default('completed'), evidence: Evidence }),
    examples: PREPARE_EXAMPLES,
    answers: {
      200: { description: 'What to sign.', schema: Verifications.extend({ success: Success }) },
    },
    handler: async ({ ctx, params, body: { status, evidence } }) =>
      succeed({
        ...toVerificationsBody(await getVerification(ctx, params.id, { status, evidence })),
      }),
  }),
  verifyOperation(
    '/api/milestones/verify',
    'verifyMilestone',
    z.object({ success: Success, verification: Verification, milestone: State }),
    (verification, milestone) => ({
      success: true,
      verification,
      milestone: toStateBody(milestone),
    }),
  ),
  verifyOperation(
    '/v1/milestones/verify',
    'v1VerifyMilestone',
    z.object({ success: Success, data: Verification.extend({ milestone: State }) }),
    (verification, milestone) => ({
      success: true,
      data: { ...verification, milestone: toStateBody(milestone) },
    }),
  ),
]
