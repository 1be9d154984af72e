import { expect, test } from 'vitest'
import { notify } from '../../../src/domain/people/index.ts'
import type { Notice } from '../../../src/domain/people/notification/notify.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createApiWithUser, createTestApi, type TestApi } from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

type Listed = {
  notifications: { id: string; type: string; status: string; title: string; message: string }[]
  pagination: { total: number; nextCursor: string | null }
}

const noticeFor = (userId: string, milestone: string): Notice => ({
  userId,
  type: 'milestone_reached',
  values: { milestone, campaign: 'Wells' },
  data: { campaignId: newId() },
})

const list = async (api: TestApi, token: string, query = '') => {
  const answer = await api.ask('GET', `/api/notifications${query}`, { token })
  expect(answer.status).toBe(200)
  return answer.body as unknown as Listed
}

const mark = (api: TestApi, token: string, id: string, status: unknown) =>
  api.ask('PUT', `/api/notifications/${id}`, { token, body: { status } })

test('shows everybody their own notifications only, newest first, each in its language', async () => {
  const api = await createTestApi()
  const german = await api.signIn()
  const other = await api.signIn()
  await api.ctx.sql`update app_user set lang = 'de-AT' where id = ${german.userId}`
  await api.ctx.sql`update app_user set lang = 'tlh' where id = ${other.userId}`
  await notify(api.ctx, [
    noticeFor(german.userId, 'Bohrung'),
    noticeFor(german.userId, 'Pumpe'),
    noticeFor(other.userId, 'Drill'),
    noticeFor(newId(), 'other'),
  ])
  const { notifications, pagination } = await list(api, german.token)
  expect(pagination.total).toBe(2)
  expect(notifications[0]).toMatchObject({
    type: 'milestone_reached',
    status: 'unread',
    title: 'Eine Etappe ist erreicht',
  })
  expect(notifications.map(({ message }) => message)).toEqual([
    expect.stringContaining('„Pumpe“'),
    expect.stringContaining('„Bohrung“'),
  ])
  expect((await list(api, other.token)).notifications).toMatchObject([
    { title: 'A milestone was reached' },
  ])
})

test('marks a notification as read, archived or deleted, and hides what is deleted', async () => {
  const { api, userId, token } = await createApiWithUser()
  await notify(api.ctx, [noticeFor(userId, 'one'), noticeFor(userId, 'two')])
  const [newest, oldest] = (await list(api, token)).notifications
  const ids = [newest?.id ?? '', oldest?.id ?? ''] as const
  const read = await mark(api, token, ids[0], 'read')
  expect(read).toMatchObject({
    status: 200,
    body: { success: true, notification: { id: ids[0], status: 'read' } },
  })
  expect((await mark(api, token, ids[0], 'read')).body).toEqual(read.body)
  expect((await mark(api, token, ids[1], 'deleted')).status).toBe(200)
  const idsOf = async (query: string) =>
    (await list(api, token, query)).notifications.map(({ id }) => id)
  expect(await idsOf('')).toEqual([ids[0]])
  expect(await idsOf('?status=deleted')).toEqual([ids[1]])
  expect(await idsOf('?status=unread')).toEqual([])
  expect(await idsOf('?status=read&type=milestone_reached')).toEqual([ids[0]])
  expect(await idsOf('?type=campaign_funded')).toEqual([])
  expect((await mark(api, token, ids[1], 'archived')).status).toBe(200)
  expect(await idsOf('?status=archived')).toEqual([ids[1]])
})

test('marks all unread notifications as read, of one type or up to a moment, and no others', async () => {
  const clock = createFakeClock()
  const { api, userId, token } = await createApiWithUser({ clock })
  const other = await api.signIn()
  const money = { amount: '10', currency: 'USDC', campaign: 'Wells' }
  const funded: Notice = { userId, type: 'campaign_funded', values: money, data: {} }
  await notify(api.ctx, [noticeFor(userId, 'one'), funded, noticeFor(other.userId, 'three')])
  const [archived] = (await list(api, token)).notifications
  await mark(api, token, archived?.id ?? '', 'archived')
  const shown = clock.now().toISOString()
  clock.advance(1)
  await notify(api.ctx, [noticeFor(userId, 'late'), funded])

  const markAll = async (body: Record<string, unknown>) => {
    const answer = await api.ask('POST', '/api/notifications/read', { token, body })
    expect([answer.status, answer.body.success]).toEqual([200, true])
    return answer.body.marked
  }
  expect(await markAll({ until: shown })).toBe(1)
  expect(await markAll({ until: shown })).toBe(0)
  expect((await list(api, token, '?status=unread')).pagination.total).toBe(2)
  expect(await markAll({ type: 'campaign_funded' })).toBe(1)
  const [late, ...none] = (await list(api, token, '?status=unread')).notifications
  expect([late?.message, none]).toEqual([expect.stringContaining('late'), []])
  expect([await markAll({}), await markAll({})]).toEqual([1, 0])
  expect((await list(api, token, '?status=archived')).notifications).toMatchObject(
    [archived?.id].map((id) => ({ id })),
  )
  expect((await list(api, other.token, '?status=unread')).pagination.total).toBe(1)
})

test('refuses to mark all for an anonymous caller, for a key without the scope, and by unknown filters', async () => {
  const { api, userId, token } = await createApiWithUser()
  await notify(api.ctx, [noticeFor(userId, 'one')])
  const keyOf = async (scope: string) => {
    const body = { name: scope, scopes: [scope] }
    const answer = await api.ask('POST', '/api/keys', { token, body })
    return (answer.body.key as { key: string }).key
  }
  const markAll = (asked: object) =>
    api.ask('POST', '/api/notifications/read', { body: {}, ...asked })
  expect((await markAll({})).status).toBe(401)
  expect((await markAll({ apiKey: await keyOf('read') })).status).toBe(403)
  for (const body of [
    { type: 'spam' },
    { until: 'now' },
    { until: '0000-01-01T00:00:00Z' },
    { status: 'read' },
  ]) {
    expect((await markAll({ token, body })).status).toBe(400)
  }
  expect((await list(api, token, '?status=unread')).pagination.total).toBe(1)
  const allowed = await markAll({ apiKey: await keyOf('notifications:write') })
  expect(allowed).toMatchObject({ status: 200, body: { marked: 1 } })
})

test("refuses anonymous callers, others' notifications, and statuses and filters that are none", async () => {
  const api = await createTestApi()
  const [owner, other, admin] = await twoUsersAndAdmin(api)
  await notify(api.ctx, [noticeFor(owner.userId, 'one')])
  const id = (await list(api, owner.token)).notifications[0]?.id ?? ''
  const path = `/api/notifications/${id}`
  expect((await api.ask('GET', '/api/notifications')).status).toBe(401)
  expect((await api.ask('PUT', path, { body: { status: 'read' } })).status).toBe(401)
  expect((await mark(api, other.token, id, 'read')).status).toBe(404)
  expect((await mark(api, admin.token, id, 'read')).status).toBe(404)
  expect((await mark(api, owner.token, newId(), 'read')).status).toBe(404)
  expect((await mark(api, owner.token, 'no-id', 'read')).status).toBe(404)
  for (const status of ['unread', 'READ', '', null, 1, ['read'], undefined]) {
    expect((await mark(api, owner.token, id, status)).status).toBe(400)
  }
  for (const query of ['?status=seen', '?type=spam', '?type=%00', '?cursor=x', '?limit=101']) {
    const answer = await api.ask('GET', `/api/notifications${query}`, { token: owner.token })
    expect(answer.status).toBe(400)
  }
  expect((await list(api, owner.token)).notifications[0]?.status).toBe('unread')
})

test('pages by cursor without gaps or doubles while notifications arrive', async () => {
  const { api, userId, token } = await createApiWithUser()
  await notify(
    api.ctx,
    Array.from({ length: 7 }, (_, index) => noticeFor(userId, `step ${index}`)),
  )
  const seen: string[] = []
  let cursor: string | null = ''
  for (let round = 0; round < 5 && cursor !== null; round++) {
    const page: Listed = await list(
      api,
      token,
      `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    seen.push(...page.notifications.map(({ message }) => /step \d/.exec(message)?.[0] ?? ''))
    cursor = page.pagination.nextCursor
    await notify(api.ctx, [noticeFor(userId, 'later')])
  }
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `step ${index}`))
})
