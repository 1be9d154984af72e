import { isSampled, type Span } from '../../kernel/tracing.ts'
import type { Context } from '../context.ts'

/**
 * Of a batch so many donations are followed in their traces: a large one must not fill the
 * collector.
 */
const MAX_FOLLOWED = 128

type Traced = { id: string; traceParent?: string | null }

/** What settling a batch means for the traces of its donations. */
export type SettleSpans = {
  /** Of the batch itself. */
  readonly batch: string | null
  /** The trace for events of a donation: its settling, else its recording. */
  of(donation: Traced): string | null
  /** Once it is durable; a batch that is undone or tried again tells nothing. */
  end(): void
}

/**
 * One span for the batch, in a trace of its own with links to the donations', and in each of their
 * traces one for the donation, so that a trace goes from the request to its webhooks.
 */
export const startSettleSpans = (
  { tracer }: Context,
  chainId: number,
  donations: readonly Traced[],
): SettleSpans => {
  const followed = donations
    .flatMap(({ id, traceParent: parent = null }) => (isSampled(parent) ? [{ id, parent }] : []))
    .slice(0, MAX_FOLLOWED)
  const batch = tracer.start('settle batch', {
    kind: 'internal',
    parent: null,
    links: followed.map(({ parent }) => parent),
    attributes: { 'fundproof.chain_id': chainId, 'fundproof.donations': donations.length },
  })
  const spans = new Map<string, Span>(
    followed.map(({ id, parent }) => [
      id,
      tracer.start('settle donation', {
        kind: 'internal',
        parent,
        links: batch.traceParent === null ? [] : [batch.traceParent],
        attributes: { 'fundproof.chain_id': chainId, 'fundproof.donation_id': id },
      }),
    ]),
  )
  return {
    batch: batch.traceParent,
    of: ({ id, traceParent: parent = null }) => spans.get(id)?.traceParent ?? parent,
    end() {
      for (const span of spans.values()) span.end()
      batch.end()
    },
  }
}
