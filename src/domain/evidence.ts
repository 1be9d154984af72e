import { z } from 'zod'
import { WebUrl } from './web-url.ts'

const MAX_EVIDENCE = 20

const EvidenceItem = z.object({
  type: z.string().trim().min(1).max(60),
  url: WebUrl,
  /** When it was made, ISO 8601 with `Z` or an offset; kept as given, so that its hash stays. */
  timestamp: z.iso.datetime({ offset: true }).max(40),
})

/** What a verifier looked at. */
export const Evidence = z.array(EvidenceItem).min(1).max(MAX_EVIDENCE)
export type Evidence = z.output<typeof Evidence>

/** The same as stored and shown. */
export const StoredEvidence = z.array(
  z.object({ type: z.string(), url: z.string(), timestamp: z.string() }),
)
export type StoredEvidence = z.output<typeof StoredEvidence>
