import { expect, test } from 'vitest'
import { isSampled, noTracing, parseTraceParent } from '../../../src/kernel/ports/tracing.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('takes a traceparent as W3C Trace Context writes it', () => {
  const header = `00-${TRACE}-${SPAN}-01`
  expect(parseTraceParent(header)).toBe(header)
})

test('takes of a later version what this one knows', () => {
  expect(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-comes-later`)).toBe(`00-${TRACE}-${SPAN}-01`)
  expect(parseTraceParent(`01-${TRACE}-${SPAN}-00`)).toBe(`00-${TRACE}-${SPAN}-00`)
})

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['the version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
  ['flags run on', `cc-${TRACE}-${SPAN}-01more`],
  ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ['a line break', `00-${TRACE}-${SPAN}-01\n`],
  ['two of them', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
])('ignores %s', (_what, header) => {
  expect(parseTraceParent(header)).toBe(null)
})

test('reads the sampled flag and no other', () => {
  const sampled = ['01', '03', 'ff'].map((flags) => isSampled(`00-${TRACE}-${SPAN}-${flags}`))
  expect(sampled).toEqual([true, true, true])
  expect(isSampled(`00-${TRACE}-${SPAN}-02`)).toBe(false)
  expect(isSampled(null)).toBe(false)
})

test('hands a trace on if no traces are kept', () => {
  const parent = `00-${TRACE}-${SPAN}-01`
  expect(noTracing.start('x', { kind: 'server', parent }).traceParent).toBe(parent)
  expect(noTracing.start('x', { kind: 'server', parent: null }).traceParent).toBe(null)
})
