import { getEscrow, getRejection, getRelease } from '../../../domain/campaigns/index.ts'
import { route } from '../../../edge/route.ts'
import { Escrow, toEscrowBody } from './escrow-body.ts'
import { ReadyTransaction } from './ready-transaction-body.ts'

export const escrowOperations = () => [
  route.get('/api/campaigns/:id/escrow', {
    operationId: 'getEscrow',
    summary: 'The escrow of a campaign: terms, state, and transactions that can be sent now.',
    auth: 'optional',
    answers: { 200: { description: 'The escrow.', schema: Escrow } },
    errors: ['not_escrowed'],
    handler: async ({ ctx, params }) => ({ body: toEscrowBody(await getEscrow(ctx, params.id)) }),
  }),
]

const OF_ESCROW = ['not_escrowed', 'already_released', 'escrow_failed'] as const

export const releaseOperations = () => [
  route.get('/api/milestones/:id/release', {
    operationId: 'getMilestoneRelease',
    summary: 'The transaction that releases a verified milestone of an escrow. Anyone may send it.',
    auth: 'optional',
    answers: { 200: { description: 'A transaction to sign and send.', schema: ReadyTransaction } },
    errors: [...OF_ESCROW, 'milestone_not_verified', 'escrow_not_active', 'escrow_expired'],
    handler: async ({ ctx, params }) => ({ body: await getRelease(ctx, params.id) }),
  }),
  route.get('/api/milestones/:id/rejection', {
    operationId: 'getMilestoneRejection',
    summary:
      'The transaction by which an escrow learns of a rejection. Until then it takes earlier approvals.',
    auth: 'optional',
    answers: { 200: { description: 'A transaction to sign and send.', schema: ReadyTransaction } },
    errors: [...OF_ESCROW, 'milestone_not_verified', 'conflict'],
    handler: async ({ ctx, params }) => ({ body: await getRejection(ctx, params.id) }),
  }),
]
