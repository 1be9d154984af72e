import { describe, expect, test } from 'vitest'
import {
  paidOutIn,
  paymentsIn,
  readCallTrace,
  traceKey,
} from '../../../src/chain/state/call-trace.ts'
import { codeOf } from './support.ts'

const at = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const [DONOR, ROUTER, CAMPAIGN, LIBRARY, OTHER] = [1, 2, 3, 4, 5].map(at) as [
  string,
  string,
  string,
  string,
  string,
]
const watched = new Set([CAMPAIGN, OTHER])

type Call = {
  type: string
  from: string
  to?: string
  value?: string
  error?: string
  calls?: Call[]
}
const call = (from: string, to: string, value: number, more: Partial<Call> = {}): Call => ({
  type: 'CALL',
  from,
  to,
  value: `0x${value.toString(16)}`,
  ...more,
})

/** Writes nested calls as the flat list of `trace_transaction`. */
const flat = (frame: Call, place: number[] = []): object[] => {
  const { type, from, to, value, error, calls = [] } = frame
  const entry = (): object => {
    switch (type) {
      case 'CREATE':
      case 'CREATE2':
        return { type: 'create', action: { from, value }, result: { address: to } }
      case 'SELFDESTRUCT':
        return { type: 'suicide', action: { address: from, refundAddress: to, balance: value } }
      default:
        return { type: 'call', action: { callType: type.toLowerCase(), from, to, value } }
    }
  }
  const own = { ...entry(), ...(error ? { error, result: null } : {}), traceAddress: place }
  return [own, ...calls.flatMap((inner, index) => flat(inner, [...place, index]))]
}

const FORMS = [
  ['callTracer', (frame: Call) => readCallTrace(frame)],
  ['trace_transaction', (frame: Call) => readCallTrace(flat(frame))],
] as const

describe.each(FORMS)('payments in a trace (%s)', (_, read) => {
  test('counts calls, creations and self-destructions, in the order of execution', () => {
    const frame = read(
      call(DONOR, ROUTER, 100, {
        calls: [
          call(ROUTER, LIBRARY, 0, { calls: [call(LIBRARY, CAMPAIGN, 1)] }),
          call(ROUTER, OTHER, 2, { type: 'CREATE2', calls: [call(OTHER, CAMPAIGN, 3)] }),
          call(LIBRARY, CAMPAIGN, 4, { type: 'SELFDESTRUCT' }),
        ],
      }),
    )
    expect(paymentsIn(frame, watched)).toEqual([
      { sender: LIBRARY, recipient: CAMPAIGN, amount: 1n, kept: 1n, index: 0 },
      { sender: ROUTER, recipient: OTHER, amount: 2n, kept: 0n, index: 0 },
      { sender: OTHER, recipient: CAMPAIGN, amount: 3n, kept: 3n, index: 1 },
      { sender: LIBRARY, recipient: CAMPAIGN, amount: 4n, kept: 4n, index: 2 },
    ])
    expect(paidOutIn(frame, OTHER)).toBe(3n)
  })

  test('leaves out what failed, with everything below it, and all of a transaction that failed', () => {
    const inner = [call(LIBRARY, CAMPAIGN, 1, { calls: [call(CAMPAIGN, OTHER, 1)] })]
    const frame = call(DONOR, ROUTER, 9, {
      calls: [
        call(ROUTER, LIBRARY, 5, { error: 'execution reverted', calls: inner }),
        call(ROUTER, CAMPAIGN, 7, { error: 'out of gas' }),
        call(ROUTER, CAMPAIGN, 8),
      ],
    })
    expect(paymentsIn(read(frame), watched)).toMatchObject([{ amount: 8n, index: 0 }])
    expect(paymentsIn(read({ ...frame, error: 'execution reverted' }), watched)).toEqual([])
  })

  test('does not count value that does not move: other kinds of call, the transaction’s own, to oneself', () => {
    const frame = call(DONOR, CAMPAIGN, 9, {
      calls: [
        call(ROUTER, CAMPAIGN, 7, { type: 'DELEGATECALL' }),
        call(ROUTER, CAMPAIGN, 7, { type: 'CALLCODE' }),
        call(ROUTER, CAMPAIGN, 0, { type: 'STATICCALL' }),
        call(ROUTER, CAMPAIGN, 0),
        call(CAMPAIGN, CAMPAIGN, 7),
      ],
    })
    expect(paymentsIn(read(frame), watched)).toEqual([])
    expect(paidOutIn(read(frame), DONOR)).toBe(0n)
  })
})

describe('a trace', () => {
  const frame = call(DONOR, ROUTER, 9, { calls: [call(ROUTER, CAMPAIGN, 7)] })

  test('is the same in both forms, and another when a payment differs', () => {
    const key = traceKey(readCallTrace(frame))
    expect(traceKey(readCallTrace(flat(frame)))).toBe(key)
    expect(traceKey(readCallTrace(call(DONOR, ROUTER, 9, { calls: [] })))).not.toBe(key)
  })

  test('of another form is refused', async () => {
    const [root, child] = flat(frame)
    const forms = [
      null,
      'trace',
      [],
      {},
      [child],
      [root, root],
      [root, { ...child, traceAddress: [1] }],
      [root, { ...child, traceAddress: [0, 0] }],
      [{ ...root, type: 'unheard-of' }],
      { ...frame, calls: [{ type: 'CALL', from: 'x' }] },
      { ...frame, value: '9' },
      { ...frame, type: { toString: null } },
    ]
    for (const form of forms) expect(await codeOf(() => readCallTrace(form))).toBe('bad_response')
  })
})
