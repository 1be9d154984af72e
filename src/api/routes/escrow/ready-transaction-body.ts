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
      description: 'The only account that may send it. Without this field, any account may.',
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
        'For `wallet_sendCalls` (EIP-5792). With several calls, a wallet without it sends them one after the other: `to` and `data` are the first.',
    }),
  validUntil: Time.nullable().describe('The contract refuses it later.'),
  simulated: z
    .object({
      block: z.int(),
      ok: z.boolean().describe('False: the contract would refuse it now.'),
      gas: z
        .int()
        .nullable()
        .meta({ examples: [87_000] }),
    })
    .nullable()
    .describe('The result at a recent block; null if no node could say.'),
})
