import { z } from 'zod'
import {
  PrepareRejection,
  PrepareReturns,
  PrepareTermination,
  prepareRejection,
  prepareReturns,
  prepareTermination,
} from '../../../domain/campaigns/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import {
  EXAMPLE_ACCOUNT,
  EXAMPLE_EVIDENCE,
  EXAMPLE_HASH,
  EXAMPLE_WALLET,
} from '../../openapi/samples.ts'
import { ReadyTransaction } from './ready-transaction-body.ts'

const Hash = z.string().meta({ examples: [EXAMPLE_HASH] })

const answerWith = (typedData: z.ZodType) =>
  success('The message and, with enough signatures, the transaction. Any account may send it.', {
    needed: z.int().describe('The number of verifiers that must sign.'),
    typedData,
    transaction: ReadyTransaction.nullable(),
  })

const FULL_EVIDENCE = EXAMPLE_EVIDENCE.map((item) => ({
  ...item,
  description: 'The well is not there.',
}))
const REJECTION = { milestone: z.int(), round: z.int(), evidenceHash: Hash }
const UNTIL = { validUntil: '2027-01-31T00:00:00Z' }
const REASON = { reason: 'The creator has left.', ...UNTIL }
const RETURNS = {
  list: [{ transaction: EXAMPLE_HASH, position: 4, receiver: EXAMPLE_WALLET }],
  ...UNTIL,
}
const TransferReturn = z.object({
  asset: z.string().meta({ examples: [EXAMPLE_ACCOUNT] }),
  receiver: z.string().meta({ examples: [EXAMPLE_WALLET] }),
  amount: z.string().meta({ examples: ['12500000'] }),
  transaction: Hash,
  position: z.int(),
})

export const verifierCallOperations = () => [
  route.post('/api/campaigns/:id/escrow/termination', {
    operationId: 'prepareTermination',
    summary: 'The message by which a quorum of verifiers ends an escrow. Stores nothing.',
    auth: 'optional',
    scope: 'milestones:verify',
    body: PrepareTermination,
    examples: { minimal: REASON, full: { ...REASON, signatures: [] } },
    answers: {
      200: answerWith(
        typedDataOf('CampaignTermination', { reasonHash: Hash, validUntil: z.int() }),
      ),
    },
    errors: ['not_escrowed', 'escrow_failed', 'conflict', 'forbidden', 'invalid_signature'],
    handler: async ({ ctx, params, body }) =>
      succeed(await prepareTermination(ctx, params.id, body)),
  }),
  route.post('/api/campaigns/:id/returns', {
    operationId: 'prepareReturns',
    summary:
      'The message by which a quorum of verifiers returns transfers that an escrow did not record. Stores nothing.',
    auth: 'optional',
    scope: 'milestones:verify',
    body: PrepareReturns,
    examples: { minimal: RETURNS, full: { ...RETURNS, signatures: [] } },
    answers: {
      200: answerWith(
        typedDataOf('TransferReturns', { list: z.array(TransferReturn), validUntil: z.int() }),
      ),
    },
    errors: [
      ...(['not_escrowed', 'campaign_not_failed', 'already_refunded'] as const),
      ...(['forbidden', 'invalid_signature'] as const),
    ],
    handler: async ({ ctx, params, body }) => succeed(await prepareReturns(ctx, params.id, body)),
  }),
  route.post('/api/milestones/:id/rejection', {
    operationId: 'prepareMilestoneRejection',
    summary:
      'The message by which a verifier rejects again a round that an escrow does not know as rejected. Stores nothing.',
    auth: 'optional',
    scope: 'milestones:verify',
    body: PrepareRejection,
    examples: {
      minimal: { evidence: EXAMPLE_EVIDENCE },
      full: { evidence: FULL_EVIDENCE, signatures: [] },
    },
    answers: { 200: answerWith(typedDataOf('MilestoneRejection', REJECTION)) },
    errors: [
      ...(['not_escrowed', 'already_released', 'escrow_failed', 'conflict'] as const),
      ...(['forbidden', 'invalid_signature'] as const),
    ],
    handler: async ({ ctx, params, body }) => succeed(await prepareRejection(ctx, params.id, body)),
  }),
]

/** A message that the escrow contract checks. All name the campaign as the terms do. */
const typedDataOf = (primaryType: string, message: z.ZodRawShape) =>
  z
    .object({
      domain: z.object({
        name: z.string().meta({ examples: ['Fundproof Escrow'] }),
        version: z.string().meta({ examples: ['1'] }),
        chainId: z.int(),
        verifyingContract: z.string().meta({ examples: [EXAMPLE_ACCOUNT] }),
      }),
      types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
      primaryType: z.literal(primaryType),
      message: z.object({ campaign: z.string().meta({ examples: [EXAMPLE_HASH] }), ...message }),
    })
    .meta({ id: `${primaryType}TypedData`, description: 'For `eth_signTypedData_v4` (EIP-712).' })
