import { z } from 'zod'
import {
  PrepareTermination,
  PrepareVeto,
  prepareTermination,
  prepareVeto,
} from '../../../domain/escrow/index.ts'
import { PrepareRejection, prepareRejection } from '../../../domain/escrow/release/index.ts'
import { succeed, success } from '../../answer/answers.ts'
import { EXAMPLE_EVIDENCE, EXAMPLE_HASH } from '../../openapi/samples.ts'
import { route } from '../../route.ts'
import { ReadyTransaction } from './ready-transaction-body.ts'
import { typedDataOf } from './typed-data-body.ts'

const Hash = z.string().meta({ examples: [EXAMPLE_HASH] })

const answerWith = (typedData: z.ZodType) =>
  success('The message and, with enough signatures, the transaction. Any account may send it.', {
    needed: z.int().meta({ description: 'The number of verifiers that must sign.' }),
    typedData,
    transaction: ReadyTransaction.nullable(),
  })

const FULL_EVIDENCE = EXAMPLE_EVIDENCE.map((item) => ({
  ...item,
  description: 'The well is not there.',
}))
const REJECTION = { milestone: z.int(), round: z.int(), evidenceHash: Hash }
const REASON = { reason: 'The creator has left.' }

export const verifierCallOperations = () => [
  route.post('/api/campaigns/:id/escrow/termination', {
    operationId: 'prepareTermination',
    summary: 'The message by which a quorum of verifiers ends an escrow. Stores nothing.',
    auth: 'optional',
    scope: 'milestones:verify',
    body: PrepareTermination,
    examples: { minimal: REASON, full: { ...REASON, signatures: [] } },
    answers: { 200: answerWith(typedDataOf('CampaignTermination', { reasonHash: Hash })) },
    errors: ['not_escrowed', 'escrow_failed', 'conflict', 'forbidden', 'invalid_signature'],
    handler: async ({ ctx, params, body }) =>
      succeed(await prepareTermination(ctx, params.id, body)),
  }),
  route.post('/api/campaigns/:id/refunds/veto', {
    operationId: 'prepareVeto',
    summary: 'The message by which a verifier objects to a waiting refund root. Stores nothing.',
    auth: 'optional',
    scope: 'milestones:verify',
    body: PrepareVeto,
    examples: { minimal: {}, full: { signatures: [] } },
    answers: { 200: answerWith(typedDataOf('RefundRootVeto', { index: z.int(), root: Hash })) },
    errors: ['not_escrowed', 'refund_root_missing', 'conflict', 'forbidden', 'invalid_signature'],
    handler: async ({ ctx, params, body }) => succeed(await prepareVeto(ctx, params.id, body)),
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
