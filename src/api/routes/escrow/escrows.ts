import { getEscrow } from '../../../domain/campaigns/index.ts'
import { route } from '../../../edge/route.ts'
import { Escrow, toEscrowBody } from './escrow-body.ts'

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
