import { z } from 'zod'
import { WebUrl } from './web-url.ts'

const MAX_EVIDENCE = 20
/** As JSON: events carry the evidence of all verifiers. */
const MAX_EVIDENCE_BYTES = 32_000

const EvidenceItem = z.strictObject({
  type: z.string().trim().min(1).max(60),
  url: WebUrl,
  /** When it was made, ISO 8601 with `Z` or an offset; kept as given, so that its hash stays. */
  timestamp: z.iso.datetime({ offset: true }).max(40),
})

/** A list of evidence of any form, bounded in its length and its bytes. */
export const evidenceOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .max(MAX_EVIDENCE)
    .refine((evidence) => Buffer.byteLength(JSON.stringify(evidence)) <= MAX_EVIDENCE_BYTES, {
      error: `must have at most ${MAX_EVIDENCE_BYTES} bytes as JSON`,
    })

/** What a verifier looked at. */
export const Evidence = evidenceOf(EvidenceItem)
export type Evidence = z.output<typeof Evidence>

/** The same as stored and shown. */
export const StoredEvidence = z.array(
  z.object({ type: z.string(), url: z.string(), timestamp: z.string() }),
)
export type StoredEvidence = z.output<typeof StoredEvidence>
