import { Core, type Settings } from '../../src/core.ts'
import { ConnectionError, TimeoutError } from '../../src/errors.ts'
import { FakeTransport } from '../../src/fake-transport.ts'
import { readOptions } from '../../src/options.ts'
import type { Runtime } from '../../src/runtime.ts'

/** An answer of the vectors. */
export type Answer = {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  fault?: 'connection' | 'timeout'
}

const FAULTS = {
  connection: () => new ConnectionError('lost'),
  timeout: () => new TimeoutError('late'),
}

/** A client with scripted answers. Only its sleeps move its clock. */
export const scriptedCore = (
  answers: readonly Answer[],
  { now = 0, random = 1, ...settings }: Partial<Settings> & { now?: number; random?: number } = {},
): { core: Core; transport: FakeTransport; waitsMs: number[] } => {
  const transport = new FakeTransport(
    answers.map(({ status = 200, headers = {}, body, fault }) =>
      fault ? FAULTS[fault]() : { status, headers, body: body === null ? '' : body },
    ),
  )
  const waitsMs: number[] = []
  let nowMs = now * 1_000
  const runtime: Runtime = {
    now: () => nowMs,
    random: () => random,
    sleep: async (ms) => {
      waitsMs.push(ms)
      nowMs += ms
    },
  }
  const base = readOptions(
    { environment: 'sandbox', baseUrl: 'https://fundproof.example.org', transport },
    () => undefined,
  )
  return { core: new Core({ ...base, ...settings }, runtime), transport, waitsMs }
}
