import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createApiWithUser, createCampaign, createTestApi, type TestApi } from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

const BODY = {
  type: 'progress',
  title: 'Water',
  content: 'The first well gives water.',
  media: [{ type: 'image', url: 'https://example.org/well.jpg', caption: 'The well' }],
}

const post = async (api: TestApi, token: string, status = 'active') => {
  const { _id: campaignId } = await createCampaign(api, token, { status })
  const posted = await api.ask('POST', '/api/updates', { token, body: { campaignId, ...BODY } })
  expect(posted.status).toBe(201)
  return posted.body.update as { id: string }
}

const change = (api: TestApi, id: string, body: unknown, token?: string) =>
  api.ask('PATCH', `/api/updates/${id}`, { token, body })

const remove = (api: TestApi, id: string, token?: string) =>
  api.ask('DELETE', `/api/updates/${id}`, { token })

test('changes an update and says so, and leaves what is not named', async () => {
  const clock = createFakeClock()
  const { api, token } = await createApiWithUser({ clock })
  const update = await post(api, token)
  expect(update).toMatchObject({ ...BODY, updatedAt: null })
  clock.advance(1_000)
  const same = await change(api, update.id, BODY, token)
  expect(same).toMatchObject({ status: 200, body: { success: true, update } })
  const changed = await change(api, update.id, { title: 'Clean water' }, token)
  const updatedAt = clock.now().toISOString()
  expect(changed.body.update).toEqual({ ...update, title: 'Clean water', updatedAt })
  const media = [{ type: 'video', url: 'https://example.org/well.webm' }]
  const rest = { type: 'thanks', content: 'Thank you.', media }
  expect((await change(api, update.id, rest, token)).status).toBe(200)
  expect((await api.ask('GET', `/api/updates/${update.id}`)).body).toEqual({
    ...{ ...update, ...rest, title: 'Clean water', updatedAt },
    media: [{ ...media[0], caption: null }],
  })
  const listed = await api.ask('GET', '/api/updates?type=thanks')
  expect(listed.body.updates).toMatchObject([{ title: 'Clean water', updatedAt }])
  expect(await api.ctx.sql`select from event`).toHaveLength(0)
})

test('deletes an update', async () => {
  const { api, token } = await createApiWithUser()
  const { id } = await post(api, token)
  expect((await remove(api, id, token)).status).toBe(204)
  expect((await api.ask('GET', `/api/updates/${id}`)).status).toBe(404)
  expect((await remove(api, id, token)).status).toBe(404)
  expect((await api.ask('GET', '/api/updates')).body.updates).toEqual([])
})

test('lets only the creator of its campaign and administrators change or delete an update', async () => {
  const api = await createTestApi()
  const [creator, other, admin] = await twoUsersAndAdmin(api)
  const { id } = await post(api, creator.token)
  const draft = await post(api, creator.token, 'draft')
  const body = { title: 'mine' }
  for (const ask of [
    (at: string, token?: string) => change(api, at, body, token),
    (at: string, token?: string) => remove(api, at, token),
  ]) {
    expect((await ask(id)).status).toBe(401)
    expect((await ask(id, other.token)).status).toBe(403)
    expect((await ask(draft.id, other.token)).status).toBe(404)
    expect((await ask(newId(), creator.token)).status).toBe(404)
  }
  expect((await api.ask('GET', `/api/updates/${id}`)).body).toMatchObject(BODY)
  expect((await change(api, id, body, admin.token)).status).toBe(200)
  expect((await remove(api, id, admin.token)).status).toBe(204)
})

test('refuses a change that names nothing, or what cannot be changed', async () => {
  const { api, token } = await createApiWithUser()
  const { id } = await post(api, token)
  for (const [body, code] of [
    [{}, 'invalid_input'],
    [{ title: '' }, 'invalid_input'],
    [{ content: null }, 'invalid_input'],
    [{ content: 'x'.repeat(50_001) }, 'invalid_input'],
    [{ media: [{ type: 'image', url: 'javascript:alert(1)' }] }, 'invalid_input'],
    [{ campaignId: newId() }, 'unknown_parameter'],
    [{ title: 'x', createdAt: '2026-01-01T00:00:00Z' }, 'unknown_parameter'],
  ] as const) {
    const refused = await change(api, id, body, token)
    expect([body, refused.status, refused.body.code]).toEqual([body, 400, code])
  }
  expect((await api.ask('GET', `/api/updates/${id}`)).body).toMatchObject({
    ...BODY,
    updatedAt: null,
  })
})
