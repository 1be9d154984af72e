import type { Donation } from '../../../db/schema/donations.ts'
import { isSampled, type Span } from '../../../kernel/ports/tracing.ts'
import type { Context } from '../../context.ts'

/** Donations of a batch with spans of their own: a large batch must not fill the collector. */
const MAX_FOLLOWED = 128

type Traced = Pick<Donation, 'id' | 'traceParent'>

/** The spans of a batch and its donations. */
type SettleSpans = {
  /** Of the batch itself. */
  readonly batch: string | null
  /** The parent for events of a donation: its span here, or else its request. */
  of(donation: Traced): string | null
  /** Sends the spans once the batch is durable. A batch that is rolled back sends none. */
  end(): void
}

/**
 * Starts a span for the batch, in a trace of its own with links to its donations, and a span in the
 * trace of each donation, so that a trace goes from the request to its webhooks.
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
