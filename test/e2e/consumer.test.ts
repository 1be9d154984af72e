import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApiClient } from '../../src/demo/client.ts'
import { readRuntime } from '../../src/local/runtime.ts'
import { type OpenApiDocument, schemaOf } from '../support/document.ts'
import { type Program, runProgram } from '../support/program.ts'
import { hasAnvil } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'

type Envelope = { id: string; event: string; created: string; data: Record<string, unknown> }
type Line = { kind: 'ready' | 'event' | 'double' | 'refused'; event?: Envelope; reason?: string }

const succeed = async (program: Program): Promise<void> => {
  expect(await program.exited, program.output()).toBe(0)
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

describe.skipIf(!hasAnvil)('a consumer of its own', () => {
  test('gets every event of the demo once, each verified and as the document says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fundproof-consumer-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const env = { DATA_DIR: folder }
    const instance = runProgram('src/commands/main.ts', { ...env, PORT: '0' })
    await waitFor('the instance to be ready', instance.output, (text) =>
      text.includes('npm run demo'),
    )
    const runtime = readRuntime(folder)
    const baseUrl = runtime?.apiUrl ?? ''
    const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument
    const types = Object.keys(document.webhooks)

    // An administrator's endpoint gets the events of everybody, of all types that it names.
    const api = createApiClient(baseUrl)
    const { email, password } = await api.signUp('olga')
    await succeed(runProgram('src/commands/admin.ts', env, ['grant', email]))
    const token = await api.signIn(email, password)
    const consumer = runProgram('test/e2e/consumer/main.ts', {
      API_URL: baseUrl,
      API_TOKEN: token,
      EVENTS: types.join(','),
      LOSE_ANSWERS_TO: 'donation.completed',
    })
    await waitFor('the consumer to be ready', consumer.output, (text) => text.includes('ready'))
    const sql = postgres(runtime?.databaseUrl ?? '', { max: 1, onnotice: () => {} })
    onTestFinished(() => sql.end())
    const [before] = await sql<{ seq: string }[]>`select coalesce(max(seq), 0) as seq from event`
    const { nextCursor } = await api.call('GET', '/api/events?from=now', undefined, token)

    await succeed(runProgram('src/demo/main.ts', { ...env, BASE_URL: baseUrl }))

    const written = await sql<{ body: string }[]>`
      select body from event where seq > ${before?.seq ?? 0} order by id`
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

    // The whole story was told, and the event whose answer was lost came again and was dropped.
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
      'refund.root.proposed': 1,
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
  }, 180_000)
})
