import { z } from 'zod'
import { readArchive } from '../../../domain/blocks/index.ts'
import { route } from '../../../edge/route.ts'
import { component } from '../../../edge/schemas.ts'

const Message = z.looseObject({})

const FinalityUpdates = component('FinalityUpdates', {
  chainId: z.int(),
  network: Message.nullable().describe('The settings of a network that is not widely known.'),
  bootstrap: Message.describe('A LightClientBootstrap (consensus-specs).'),
  updates: z
    .array(Message)
    .describe('The LightClientUpdate of each period, from the one of the bootstrap on.'),
})

export const finalityOperations = () => [
  route.get('/api/finality/:chainId/updates', {
    operationId: 'getFinalityUpdates',
    summary:
      "What leads from a checkpoint through the chain's sync committees: keep it, to check proofs without this service.",
    auth: 'none',
    params: z.object({ chainId: z.string().regex(/^[1-9]\d{0,14}$/) }),
    query: z.object({
      from: z
        .string()
        .toLowerCase()
        .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits')
        .describe('The checkpoint: the root of a final beacon block.'),
    }),
    answers: { 200: { description: 'The updates.', schema: FinalityUpdates } },
    handler: async ({ ctx, params, query }) => ({
      body: await readArchive(ctx, Number(params.chainId), query.from),
      headers: { 'Cache-Control': 'public, max-age=300' },
    }),
  }),
]
