import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '../../src/commands/demo/client.ts'
import { ChainConfig } from '../../src/config/config.ts'
import { writeRuntime } from '../../src/local/runtime.ts'
import { type OpenApiDocument, schemaOf } from '../support/document.ts'
import { startHalf } from '../support/halves.ts'
import { newFolder } from '../support/new-folder.ts'
import { type Program, runProgram, startProgram } from '../support/program.ts'
import { startService } from '../support/service.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWorld, TEST_CHAIN } from '../support/world.ts'

type Envelope = { id: string; event: string; created: string; data: Record<string, unknown> }
type Line = { kind: 'ready' | 'event' | 'double' | 'refused'; event?: Envelope; reason?: string }

const succeed = async (program: Program): Promise<string> => {
  expect(await program.exited, program.output()).toBe(0)
  return program.output()
}

const linesOf = (consumer: Program): Line[] =>
  consumer
    .output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)

const eventsOf = (lines: readonly Line[], kind: Line['kind']): Envelope[] =>
  lines.flatMap((line) => (line.kind === kind && line.event ? [line.event] : []))

const byId = (a: Envelope, b: Envelope): number => (a.id < b.id ? -1 : 1)

const ends: (() => unknown)[] = []

/** Runs the demo while a consumer receives all events. */
const runDemo = async () => {
  const { runtime, dataDir, stop } = await startService({})
  ends.push(stop)
  const { apiUrl } = runtime
  const env = { DATA_DIR: dataDir }
  const document = (await (await fetch(`${apiUrl}/openapi.json`)).json()) as OpenApiDocument

  // An administrator's endpoint gets the events of all users.
  const api = createApiClient(apiUrl)
  const { email, password } = await api.signUp('olga')
  await succeed(startProgram('src/commands/admin.ts', env, ['grant', email]))
  const token = await api.signIn(email, password)
  const consumer = startProgram('test/e2e/consumer/main.ts', {
    API_URL: apiUrl,
    API_TOKEN: token,
    EVENTS: Object.keys(document.webhooks).join(','),
    LOSE_ANSWERS_TO: 'donation.completed',
  })
  ends.push(consumer.interrupt)
  await waitFor('the consumer to be ready', consumer.output, (text) => text.includes('ready'))
  const sql = postgres(runtime.databaseUrl, { max: 1, onnotice: () => {} })
  ends.push(sql.end)
  const [before] = await sql<{ seq: string }[]>`select coalesce(max(seq), 0) as seq from event`
  const { nextCursor } = await api.call('GET', '/api/events?from=now', undefined, token)
  const output = await succeed(
    startProgram('src/commands/demo/main.ts', { ...env, BASE_URL: apiUrl }),
  )
  return { env, document, api, token, consumer, sql, before, nextCursor, output }
}

describe.skipIf(!hasAnvil)('npm run demo', () => {
  let demo: Awaited<ReturnType<typeof runDemo>>
  beforeAll(async () => {
    demo = await runDemo()
  }, 180_000)
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  test('releases a milestone of an escrow, and refunds a failed one to the unit, in both ways', async () => {
    const steps = [
      'the chain’s sync committee has proven that block ',
      'where no code is yet',
      'credited before the contract is deployed',
      'a stranger deployed the escrow and paid',
      'two of three verifiers signed',
      'the recipient has 12000 USDC more on the chain',
      'webhook: milestone.released',
      'a stranger closed the escrow, webhook campaign.failed',
      'ben’s refund needed no signature',
      'two of three verifiers signed where ada’s transfer goes back to',
      'both donors have all their money back, to the unit',
    ]
    for (const step of steps) expect(demo.output).toContain(step)
    await succeed(runProgram('src/commands/check.ts', demo.env))
  })

  test('gives a consumer every event once, each verified and as the document says', async () => {
    const { document, api, token, consumer, sql, before, nextCursor } = demo
    const written = await sql<{ body: string }[]>`
      select event.body from event where seq > ${before?.seq ?? 0} order by id`
    const expected = written.map(({ body }) => JSON.parse(body) as Envelope)
    const lines = await waitFor(
      'every event and the double to arrive',
      () => linesOf(consumer),
      (all) =>
        eventsOf(all, 'event').length >= expected.length && eventsOf(all, 'double').length > 0,
    )
    const received = eventsOf(lines, 'event').toSorted(byId)
    expect(received).toEqual(expected)
    expect(lines.filter(({ kind }) => kind === 'refused')).toEqual([])

    // All events arrived. The event whose first answer was lost arrived twice and was dropped once.
    const counts = Object.groupBy(received, ({ event }) => event)
    expect(
      Object.fromEntries(Object.entries(counts).map(([type, of]) => [type, of?.length])),
    ).toEqual({
      'user.verified': 6,
      'donation.completed': 6,
      'campaign.milestone.reached': 4,
      'campaign.funded': 2,
      'donation.reversed': 1,
      'campaign.threshold.reverted': 2,
      'impact.verified': 1,
      'milestone.released': 1,
      'campaign.failed': 1,
      'donation.refunded': 2,
    })
    const feed = `/api/events?after=${String(nextCursor)}`
    const { events } = await api.call('GET', feed, undefined, token)
    expect((events as Envelope[]).toSorted(byId)).toEqual(expected)
    const doubles = eventsOf(lines, 'double')
    const [lost] = eventsOf(lines, 'event').filter(({ event }) => event === 'donation.completed')
    expect(doubles).toEqual([lost])

    for (const event of received) {
      const schema = document.webhooks[event.event]?.post.requestBody?.content?.['application/json']
      expect(schema, event.event).toBeDefined()
      const result = schemaOf(schema?.schema ?? {}, document).safeParse(event)
      expect(result.error, JSON.stringify(event)).toBeUndefined()
    }
  })

  test('says that the API uses another chain, before it pays anything', async () => {
    const [world, chain, other] = await Promise.all([
      createWorld(),
      startTestChain(),
      startTestChain(),
    ])
    const places = { databaseUrl: world.url, rpcUrl: chain.url }
    const [api] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
    const dataDir = newFolder()
    const apiUrl = `http://127.0.0.1:${api.port}`
    const ofOther = ChainConfig.parse({ ...TEST_CHAIN, name: 'other', rpc: [other.url] })
    writeRuntime(dataDir, { databaseUrl: world.url, chains: [ofOther], apiUrl })

    const demo = runProgram('src/commands/demo/main.ts', { DATA_DIR: dataDir })
    const code = await demo.exited

    expect(demo.output()).toBe(
      `The demo failed: The API at ${apiUrl} uses another chain than ${other.url}. ` +
        'Set BASE_URL and DATA_DIR to one instance.\n',
    )
    expect(code).toBe(1)
  })
})
