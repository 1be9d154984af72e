import { z } from 'zod'
import { component, Time } from '../../../edge/schemas.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_WALLET } from '../../openapi/samples.ts'

const Data = z.string().meta({ examples: ['0xfa89401a'] })
const To = z.string().meta({
  description: 'The contract to call, with its EIP-55 checksum.',
  examples: [EXAMPLE_ACCOUNT],
})

/** A transaction that a wallet can send as it is. */
export const ReadyTransaction = component('ReadyTransaction', {
  chainId: z.int(),
  to: To,
  data: Data,
  value: z.literal('0'),
  from: z
    .string()
    .optional()
    .meta({
      description:
        'The only account that may send the transaction. Without this field, any account may send it.',
      examples: [EXAMPLE_WALLET],
    }),
  sendCalls: z
    .object({
      version: z.literal('2.0.0'),
      chainId: z.string().meta({ examples: ['0x2105'] }),
      atomicRequired: z.literal(false),
      calls: z.array(z.object({ to: To, data: Data, value: z.literal('0x0') })),
    })
    .meta({
      description:
        'The parameter of `wallet_sendCalls` (EIP-5792). A wallet without this method sends several calls one after the other. `to` and `data` belong to the first call.',
    }),
  validUntil: Time.nullable().meta({
    description:
      'The contract refuses the transaction after this time; null if there is no such time.',
  }),
  simulated: z
    .object({
      block: z.int(),
      ok: z.boolean().describe('False if the contract would refuse the transaction now.'),
      gas: z
        .int()
        .nullable()
        .meta({ examples: [87_000] }),
    })
    .nullable()
    .describe('The result of a simulation at a recent block; null if no node could simulate it.'),
})
