import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import { startSettleSpans } from '../../../src/domain/blocks/settle/settle-spans.ts'
import type { SpanOptions, Tracer } from '../../../src/kernel/ports/tracing.ts'

type Started = SpanOptions & { name: string; ended: boolean }

/**
 * A tracer whose n-th span has the id n. The span is in the trace of its parent, or in a new trace.
 */
const createTracer = () => {
  const started: Started[] = []
  const tracer: Tracer = {
    start(name, options) {
      const span: Started = { ...options, name, ended: false }
      started.push(span)
      const trace = options.parent?.slice(3, 35) ?? 'b'.repeat(32)
      const id = String(started.length).padStart(16, '0')
      return {
        traceParent: `00-${trace}-${id}-01`,
        set: () => {},
        end: () => {
          span.ended = true
        },
      }
    },
  }
  return { ctx: { tracer } as Context, started }
}

const donation = (number: number, flags = '01') => ({
  id: `donation ${number}`,
  traceParent: `00-${String(number).padStart(32, '0')}-${'a'.repeat(16)}-${flags}`,
})

test('follows each donation in its own trace, and links the batch with all of them', () => {
  const { ctx, started } = createTracer()
  const donations = [donation(1), donation(2), { id: 'untraced', traceParent: null }]
  const spans = startSettleSpans(ctx, 1, donations)
  expect(started.map(({ name, parent, links }) => ({ name, parent, links }))).toEqual([
    {
      name: 'settle batch',
      parent: null,
      links: [donation(1).traceParent, donation(2).traceParent],
    },
    { name: 'settle donation', parent: donation(1).traceParent, links: [spans.batch] },
    { name: 'settle donation', parent: donation(2).traceParent, links: [spans.batch] },
  ])
  expect(donations.map((one) => spans.of(one)?.slice(-19))).toEqual([
    '0000000000000002-01',
    '0000000000000003-01',
    undefined,
  ])
})

test('tells nothing of a batch that is never durable', () => {
  const { ctx, started } = createTracer()
  const spans = startSettleSpans(ctx, 1, [donation(1)])
  expect(started.filter(({ ended }) => ended)).toEqual([])
  spans.end()
  expect(started.filter(({ ended }) => !ended)).toEqual([])
})

test('follows no more than 128 of a batch, and none whose trace is not kept', () => {
  const { ctx, started } = createTracer()
  const unkept = donation(0, '00')
  const donations = [unkept, ...Array.from({ length: 2_000 }, (_, index) => donation(index + 1))]
  const spans = startSettleSpans(ctx, 1, donations)
  expect(started).toHaveLength(129)
  expect(spans.of(unkept)).toBe(unkept.traceParent)
  expect(spans.of(donation(2_000))).toBe(donation(2_000).traceParent)
})
