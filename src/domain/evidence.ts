import { z } from 'zod'
import { WebUrl } from './web-url.ts'

const MAX_EVIDENCE = 20
/** The limit for a list as JSON. One event can contain the lists of many verifiers. */
const MAX_EVIDENCE_BYTES = 32_000

const EvidenceItem = z.strictObject({
  type: z.string().trim().min(1).max(60),
  url: WebUrl,
  /** When the evidence was made: ISO 8601 with `Z` or an offset. Stored unchanged for the hash. */
  timestamp: z.iso.datetime({ offset: true }).max(40),
})

/** A schema for a list of evidence, with a maximum of items and of bytes. */
export const evidenceOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .max(MAX_EVIDENCE)
    .refine((evidence) => Buffer.byteLength(JSON.stringify(evidence)) <= MAX_EVIDENCE_BYTES, {
      error: `must have at most ${MAX_EVIDENCE_BYTES} bytes as JSON`,
    })

/** The evidence that a verifier has checked. */
export const Evidence = evidenceOf(EvidenceItem)
export type Evidence = z.output<typeof Evidence>

/** A list of evidence as it is stored, and as answers show it. */
export const StoredEvidence = z.array(
  z.object({ type: z.string(), url: z.string(), timestamp: z.string() }),
)
export type StoredEvidence = z.output<typeof StoredEvidence>
