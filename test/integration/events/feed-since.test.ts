import { expect, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit } from '../../../src/outbox/emit.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createApiWithUser, refusal, type TestApi } from '../http/support/api.ts'
import { happened, idsOf, verified } from './support/happenings.ts'

type FeedBody = { events: { id: string }[]; nextCursor: string; hasMore: boolean }

const HOUR_MS = 3_600_000

/**
 * Reads the feed until it has enough events. Older open transactions of other tests delay the feed.
 */
const askFor = (api: TestApi, token: string, count: number, query: string): Promise<FeedBody> =>
  waitFor(
    `${count} events in the feed`,
    async () => {
      const answer = await api.ask('GET', `/api/events?${query}`, { token })
      expect(answer.status, answer.text).toBe(200)
      return answer.body as unknown as FeedBody
    },
    ({ events }) => events.length >= count,
  )

test('the feed begins with the events that were created at a time, and goes on from there', async () => {
  const clock = createFakeClock()
  const { api, userId } = await createApiWithUser({ clock })
  const signIn = async () => (await api.signIn()).token
  const early = await happened(api.ctx, userId, 3)
  clock.advance(HOUR_MS)
  const since = clock.now().toISOString()
  const late = await happened(api.ctx, userId, 3)
  // The first token has expired, because the clock has moved, so the test issues another one.
  const own = await api.tokens.issue({ userId, sessionId: newId(), roles: [], verified: true })
  const admin = (await api.signIn({ roles: ['admin'] })).token
  expect(idsOf((await askFor(api, own, 6, '')).events)).toEqual([...early, ...late])
  for (const by of [own, admin]) {
    const page = await askFor(api, by, 3, `from=${since}`)
    expect(idsOf(page.events)).toEqual(late)
    expect(page.hasMore).toBe(false)
  }
  const first = await askFor(api, own, 2, `from=${since}&limit=2`)
  expect(idsOf(first.events)).toEqual(late.slice(0, 2))
  const rest = await askFor(api, own, 1, `after=${first.nextCursor}`)
  expect(idsOf(rest.events)).toEqual(late.slice(2))
  const offset = encodeURIComponent(since.replace('Z', '+00:00'))
  expect(idsOf((await askFor(api, own, 3, `from=${offset}`)).events)).toEqual(late)
  expect((await askFor(api, await signIn(), 0, `from=${since}`)).events).toEqual([])
  expect((await askFor(api, own, 0, 'from=2999-01-01T00:00:00Z')).events).toEqual([])
  const all = await askFor(api, own, 6, 'from=0001-01-01T00:00:00Z')
  expect(idsOf(all.events)).toEqual([...early, ...late])
  const some = await askFor(api, own, 3, `from=${since}&event=user.verified&limit=3`)
  expect(idsOf(some.events)).toEqual(late)
})

test('the feed from a time includes events of a transaction that began before earlier events', async () => {
  // A start later than in the test before, because ids of one process never go back in time.
  const clock = createFakeClock(new Date(Date.now() + 24 * HOUR_MS))
  const { api, userId, token } = await createApiWithUser({ clock })
  let since = ''
  await withTransaction(api.ctx, async (slow) => {
    await slow.sql`select pg_current_xact_id()`
    await happened(api.ctx, userId, 1)
    clock.advance(60_000)
    since = clock.now().toISOString()
    await emit(slow, [verified(userId)])
  })
  const last = await happened(api.ctx, userId, 1)
  const { events } = await askFor(api, token, 2, `from=${since}`)
  expect(events).toHaveLength(2)
  expect(idsOf(events.slice(1))).toEqual(last)
})

test('refuses a time that is none, or that the database does not know', async () => {
  const { api, token } = await createApiWithUser()
  const { body } = await api.ask('POST', '/api/webhooks', {
    token,
    body: { url: 'http://127.0.0.1:3999/hook' },
  })
  const webhook = `/api/webhooks/${(body.webhook as { id: string }).id}`
  const wrong = [
    ...['yesterday', '2026-01-31', '2026-01-31T12:00:00', '2026-13-01T00:00:00Z'],
    ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:00', '9999-12-31T23:59:59-23:00'],
  ]
  for (const time of wrong) {
    const text = encodeURIComponent(time)
    const answers = await Promise.all([
      api.ask('GET', `/api/events?from=${text}`, { token }),
      api.ask('GET', `${webhook}/deliveries?since=${text}`, { token }),
      api.ask('GET', `${webhook}/deliveries?until=${text}`, { token }),
      api.ask('POST', `${webhook}/replay`, { token, body: { since: time, dryRun: true } }),
    ])
    for (const answer of answers) {
      expect(answer).toMatchObject(refusal(400, 'invalid_input'))
    }
  }
})
