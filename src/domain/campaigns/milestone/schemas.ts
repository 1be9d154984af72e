import { z } from 'zod'
import { DECISIONS } from '../../../kernel/statuses.ts'
import { evidenceOf, WebUrl } from '../../shared/index.ts'

export const Decision = z.enum(DECISIONS)

/** This limit suffices for the long signatures of contract wallets with many owners. */
const MAX_SIGNATURE_BYTES = 8 * 1024

/** A schema for text. Keeps spaces at its ends, because the verifier signs a hash of the text. */
const line = (max: number) => z.string().min(1).max(max).regex(/\S/, 'must not be blank')

/** Refuses unknown fields, because the hash that a verifier signs contains only these fields. */
export const EvidenceItem = z
  .strictObject({
    type: line(60),
    url: WebUrl,
    timestamp: z.iso
      .datetime({ offset: true })
      .max(40)
      .meta({ description: 'The time at which the evidence was made: ISO 8601 with a time zone.' }),
    description: line(2_000)
      .optional()
      .meta({ description: 'The content, or the reason for a rejection.' }),
  })
  .meta({ id: 'Evidence' })
export type EvidenceItem = z.output<typeof EvidenceItem>

export const Evidence = evidenceOf(EvidenceItem)

export const VerifyMilestone = z.strictObject({
  campaignId: z.uuid(),
  milestoneId: z.uuid(),
  verification: z.strictObject({
    status: Decision,
    evidence: Evidence,
    verifierSignature: z
      .string()
      .max(2 + 2 * MAX_SIGNATURE_BYTES)
      .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and whole bytes in hexadecimal')
      .meta({
        description:
          "The signature (EIP-712) of a verifier's wallet: by a key or a contract (EIP-1271, ERC-6492).",
      }),
    verifierAddress: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
      .optional()
      .meta({
        description: 'The signing wallet, if it is not a wallet of the caller.',
      }),
  }),
})
export type VerifyMilestone = z.output<typeof VerifyMilestone>
