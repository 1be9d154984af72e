import { expect, test } from 'vitest'
import { createRevokedSessions } from '../../../src/auth/revoked-sessions.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const MINUTE = 60_000

const create = () => {
  const clock = createFakeClock()
  const stored: { sessionId: string; revokedAt: Date }[] = []
  const asked: Date[] = []
  const state = { broken: false }
  const sessions = createRevokedSessions({
    clock,
    log: createLog('silent', 'test'),
    load: async (since) => {
      asked.push(since)
      if (state.broken) throw new Error('away')
      return stored.filter(({ revokedAt }) => revokedAt >= since)
    },
  })
  const revoke = (sessionId: string) => stored.push({ sessionId, revokedAt: clock.now() })
  return { clock, sessions, revoke, asked, state }
}

test('knows what was revoked, its own revocations at once', async () => {
  const { sessions, revoke } = create()
  revoke('one')
  expect(sessions.has('one')).toBe(false)
  await sessions.refresh()
  expect([sessions.has('one'), sessions.has('two')]).toEqual([true, false])
  sessions.add(['two'])
  expect(sessions.has('two')).toBe(true)
})

test('finds a revocation that was dated before the last look and committed after it', async () => {
  const { clock, sessions, revoke } = create()
  await sessions.refresh()
  revoke('late')
  clock.advance(5_000)
  await sessions.refresh()
  expect(sessions.has('late')).toBe(true)
})

test('forgets a session when no token of it can be left, and reads only what is new', async () => {
  const { clock, sessions, revoke, asked } = create()
  revoke('one')
  await sessions.refresh()
  clock.advance(15 * MINUTE)
  await sessions.refresh()
  expect(sessions.has('one')).toBe(true)
  clock.advance(2 * MINUTE)
  await sessions.refresh()
  expect(sessions.has('one')).toBe(false)
  expect(asked.at(-1)?.getTime()).toBe(clock.now().getTime() - 3 * MINUTE)
})

test('finds a revocation after its clock was 80 hours ahead and was set back', async () => {
  const { clock, sessions, revoke } = create()
  clock.advance(80 * 60 * MINUTE)
  await sessions.refresh()
  clock.advance(-80 * 60 * MINUTE)
  revoke('one')
  await sessions.refresh()
  expect(sessions.has('one')).toBe(true)
})

test('keeps what it knows while the database is away', async () => {
  const { sessions, revoke, state } = create()
  revoke('one')
  await sessions.refresh()
  state.broken = true
  await sessions.refresh()
  expect(sessions.has('one')).toBe(true)
})
