import { getRejection, getRelease } from '../../../domain/campaigns/index.ts'
import { route } from '../../../edge/route.ts'
import { ReadyTransaction } from './ready-transaction-body.ts'

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
