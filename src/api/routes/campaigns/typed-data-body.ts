import { z } from 'zod'
import { Decision } from '../../../domain/campaigns/index.ts'
import { component, Id } from '../../../edge/schemas.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_WALLET } from '../../openapi/samples.ts'

export const Hash = z.string().regex(/^0x[0-9a-f]{64}$/)

const Signed = { round: z.int(), evidenceHash: Hash }

/**
 * The message whose signature an escrow contract checks. An approval has all fields, a rejection
 * only the required fields.
 */
const EscrowMessage = component('EscrowDecision', {
  campaign: Hash,
  milestone: z.int().describe('The position of the milestone, from 0.'),
  ...Signed,
  asset: z
    .string()
    .optional()
    .meta({ examples: [EXAMPLE_ACCOUNT] }),
  amount: z
    .string()
    .optional()
    .meta({ description: 'The amount in base units.', examples: ['30000000'] }),
  recipient: z
    .string()
    .optional()
    .meta({ examples: [EXAMPLE_WALLET] }),
  validUntil: z
    .int()
    .optional()
    .describe("The expiry of the escrow's terms, as a Unix time in seconds."),
})

/** The typed data of a decision on a milestone, with or without an escrow. */
export const TypedData = z
  .object({
    domain: z.object({
      name: z.string(),
      version: z.string(),
      chainId: z.int(),
      verifyingContract: z
        .string()
        .optional()
        .meta({
          description: 'The address of the escrow; absent without an escrow.',
          examples: [EXAMPLE_ACCOUNT],
        }),
    }),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string().meta({
      examples: ['MilestoneVerification', 'MilestoneRelease', 'MilestoneRejection'],
    }),
    message: z.union([
      z
        .object({ campaignId: Id, milestoneId: Id, status: Decision, ...Signed })
        .meta({ id: 'MilestoneDecision' }),
      EscrowMessage,
    ]),
  })
  .meta({ id: 'TypedData', description: 'For `eth_signTypedData_v4` (EIP-712).' })
