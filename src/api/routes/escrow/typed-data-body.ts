import { z } from 'zod'
import { EXAMPLE_ACCOUNT, EXAMPLE_HASH } from '../../openapi/samples.ts'

/** A message that the escrow contract checks. All name the campaign as the terms do. */
export const typedDataOf = (primaryType: string, message: z.ZodRawShape) =>
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
