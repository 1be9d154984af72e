import type { Context } from '../../../db/context.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { isSampled, type Span } from '../../../kernel/ports/tracing.ts'

/** At most this many donations of a batch get a span, to limit the load of the trace collector. */
const MAX_FOLLOWED = 128

type Traced = Pick<Donation, 'id' | 'traceParent'>

/** The trace spans of a batch and its donations. */
type SettleSpans = {
  /** The `traceparent` of the batch's own span, for child spans; null without a trace. */
  readonly batch: string | null
  /** The parent span for a donation's events: the donation's span, or its request's span. */
  of(donation: Traced): string | null
  /** Sends the spans. The caller calls `end` after the commit, so a rollback sends no spans. */
  end(): void
}

/**
 * Starts a span for the batch in a new trace, with links to the requests that made the donations.
 * Also starts a span in the trace of each donation, so that this trace includes the webhooks.
 */
export const startSettleSpans = (
  { tracer }: Context,
  chainId: number,
  donations: readonly Traced[],
): SettleSpans => {
  const followed = donations
    .flatMap(({ id, traceParent: parent }) => (isSampled(parent) ? [{ id, parent }] : []))
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
    of: ({ id, traceParent: parent }) => spans.get(id)?.traceParent ?? parent,
    end() {
      for (const span of spans.values()) span.end()
      batch.end()
    },
  }
}
