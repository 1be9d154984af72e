import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { Core } from '../src/core.ts'
import { Events } from '../src/generated/resources/events.ts'
import {
  AbortError,
  ApiError,
  type FakeStep,
  FakeTransport,
  Fundproof,
  RateLimitError,
  ServerError,
  type Transport,
} from '../src/index.ts'
import { readOptions } from '../src/options.ts'
import { realRuntime } from '../src/runtime.ts'
import { scriptedCore } from './vectors/client.ts'

const TYPE = { 'content-type': 'text/event-stream' }

const frame = (n: number): string =>
  `id: p${n}\nevent: user.verified\ndata: ${JSON.stringify({ id: `e${n}`, event: 'user.verified' })}\n\n`

const clientOf = (steps: FakeStep[]) => {
  const transport = new FakeTransport(steps)
  const baseUrl = 'https://fundproof.example.org'
  return { transport, client: new Fundproof({ environment: 'sandbox', baseUrl, transport }) }
}

test('comes back after a break where it was, without a double', async () => {
  const { client, transport } = clientOf([
    { body: `retry: 1\nid: p0\n\n${frame(1)}${frame(2).slice(0, -1)}` },
    { status: 503, headers: { 'Retry-After': '0' } },
    { body: `${frame(1)}${frame(2)}: still here\nid: p9\n\n` },
    { body: frame(3) },
  ])
  const stream = client.events.stream({ campaignId: 'c1' })
  const positions: (string | null)[] = []
  const ids: string[] = []
  for await (const event of stream) {
    ids.push(event.id)
    positions.push(stream.lastEventId)
    if (ids.length === 3) break
  }
  deepEqual(ids, ['e1', 'e2', 'e3'])
  deepEqual(positions, ['p1', 'p2', 'p3'])
  const asked = transport.requests.map(({ headers }) => headers['last-event-id'])
  deepEqual(asked, [undefined, 'p1', 'p1', 'p9'])
  equal(transport.requests[0]?.headers.accept, 'text/event-stream')
})

test('has the position that it began with before the first event', async () => {
  const { client } = clientOf([])
  equal(client.events.stream({ after: 'p7' }).lastEventId, 'p7')
  equal(client.events.stream().lastEventId, null)
})

test('gives a silent connection up after 45 seconds, and comes back', async () => {
  const bodies = [frame(1), frame(2)].map(async function* (text) {
    yield new TextEncoder().encode(`retry: 7\n${text}`)
    await new Promise(() => undefined)
  })
  const slept: number[] = []
  const transport: Transport = {
    send: async () => ({ status: 200, headers: TYPE, body: bodies.shift() ?? new Uint8Array() }),
  }
  const options = { environment: 'sandbox', baseUrl: 'https://fundproof.example.org' } as const
  const core = new Core(readOptions({ ...options, transport }), {
    now: () => 0,
    random: () => 0,
    sleep: async (ms) => {
      slept.push(ms)
      // This pause is longer than the time for reading a piece that has arrived.
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
  })
  const ids: string[] = []
  for await (const { id } of new Events(core).stream()) {
    ids.push(id)
    if (ids.length === 2) break
  }
  deepEqual(ids, ['e1', 'e2'])
  deepEqual(slept, [45_000, 45_000, 250, 45_000])
})

test('throws a refusal, also after it was open', async () => {
  const refusal = {
    status: 429,
    headers: { 'Retry-After': '0' },
    body: { success: false, error: 'Too many streams.', code: 'too_many_streams' },
  }
  const { client, transport } = clientOf([{ body: `retry: 1\n\n${frame(1)}` }, refusal])
  const seen: string[] = []
  const loop = async () => {
    for await (const { id } of client.events.stream()) seen.push(id)
  }
  await rejects(loop, RateLimitError)
  deepEqual(seen, ['e1'])
  equal(transport.requests.length, 2)
})

test('ends with close without an error, and with the signal by AbortError', async () => {
  const { client } = clientOf([{ body: frame(1) }, { body: frame(1) }])
  const stream = client.events.stream()
  for await (const event of stream) {
    equal(event.id, 'e1')
    stream.close()
  }
  const controller = new AbortController()
  const loop = async () => {
    for await (const _ of client.events.stream({}, { signal: controller.signal }))
      controller.abort()
  }
  await rejects(loop, AbortError)
})

test('passes odd events on as they came, because one of them must not stop the others', async () => {
  const odd = ['{"id":', '[]', '{"event":"odd"}', '{"event":"odd"}', '{"id":"e2","data":7}']
  const frames = odd.map((data, index) => `id: p${index}\ndata: ${data}\n\n`).join('')
  const { client } = clientOf([{ body: `${frames}${frame(9)}` }])
  const events: unknown[] = []
  for await (const event of client.events.stream()) {
    events.push(event)
    if (event.id === 'e9') break
  }
  const passed = [{ data: '{"id":' }, { data: '[]' }, ...odd.slice(2).map((one) => JSON.parse(one))]
  deepEqual(events.slice(0, -1), passed)
})

test('waits from 250 ms to one minute, as the service asks', async () => {
  const bodies = [`retry: 0\n${frame(1)}`, `retry: ${'9'.repeat(20)}\n${frame(2)}`, frame(3)]
  const { core, waitsMs } = scriptedCore(bodies.map((body) => ({ body })))
  for await (const { id } of new Events(core).stream()) if (id === 'e3') break
  deepEqual(waitsMs, [250, 60_000])
})

test('throws a refusal that asks for a longer pause than maxRetryAfter', async () => {
  const { core, waitsMs } = scriptedCore([
    { body: frame(1) },
    { status: 503, headers: { 'Retry-After': '61' } },
  ])
  const loop = async () => {
    for await (const _ of new Events(core).stream());
  }
  await rejects(loop, ServerError)
  deepEqual(waitsMs, [1_000])
})

test('throws for an answer that is no stream', async () => {
  for (const answer of [
    { headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome</h1>' },
    { status: 202, body: frame(1) },
  ]) {
    const { client } = clientOf([answer])
    const loop = async () => {
      for await (const _ of client.events.stream());
    }
    await rejects(loop, ApiError)
  }
})

test('sleeps longer than the longest timer', async () => {
  const controller = new AbortController()
  const sleep = realRuntime.sleep(2 ** 31, controller.signal)
  const pause = new Promise((resolve) => setTimeout(resolve, 20))
  equal(await Promise.race([pause.then(() => 'asleep'), sleep]), 'asleep')
  controller.abort()
  await rejects(sleep, AbortError)
})
