import { z } from 'zod'
import { DECISIONS } from '../../../kernel/statuses.ts'
import { evidenceOf, WebUrl } from '../../shared/index.ts'
import { SignatureHex, VerifierAddress } from '../escrow/schemas.ts'

export const Decision = z.enum(DECISIONS)

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
      .describe('The time at which the evidence was made: ISO 8601 with a time zone.'),
    description: line(2_000).optional().describe('The content, or the reason for a rejection.'),
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
    verifierSignature: SignatureHex.meta({
      description:
        "The signature (EIP-712) of a verifier's wallet: by a key or a contract (EIP-1271, ERC-6492).",
    }),
    verifierAddress: VerifierAddress.optional().meta({
      description: 'The signing wallet, if it is not a wallet of the caller.',
    }),
  }),
})
export type VerifyMilestone = z.output<typeof VerifyMilestone>
