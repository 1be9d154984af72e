import { z } from 'zod'
import { WebUrl } from './web-url.ts'

const MAX_EVIDENCE = 20
/** The largest size of an evidence list as JSON, in bytes. One event can contain many lists. */
const MAX_EVIDENCE_BYTES = 32_000

const EvidenceItem = z.strictObject({
  type: z.string().trim().min(1).max(60),
  url: WebUrl,
  /** The time of the evidence in ISO 8601, with `Z` or an offset. The text is stored unchanged. */
  timestamp: z.iso.datetime({ offset: true }).max(40),
})

/** A schema for an evidence list that is not empty, has few enough items, and is small enough. */
export const evidenceOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .max(MAX_EVIDENCE)
    .refine((evidence) => Buffer.byteLength(JSON.stringify(evidence)) <= MAX_EVIDENCE_BYTES, {
      error: `must have at most ${MAX_EVIDENCE_BYTES} bytes as JSON`,
    })

export const Evidence = evidenceOf(EvidenceItem)
export type Evidence = z.output<typeof Evidence>

export const StoredEvidence = z.array(
  z.object({ type: z.string(), url: z.string(), timestamp: z.string() }),
)
export type StoredEvidence = z.output<typeof StoredEvidence>
