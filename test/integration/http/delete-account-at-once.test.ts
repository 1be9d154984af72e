import { expect, test } from 'vitest'
import { exactly, waitFor } from '../../support/wait-for.ts'
import { openStreamAt } from '../events/support/stream-client.ts'
import { mailsTo, PASSWORD, signUp } from './support/account.ts'
import { createTestApi, type TestApi } from './support/api.ts'

const remove = (api: TestApi, token: string) =>
  api.ask('POST', '/api/auth/delete-account', { token, body: { password: PASSWORD } })

test('a deletion ends the event streams of the account, by token and by key, and no others', async () => {
  const api = await createTestApi({ streams: { checkMs: 40 } })
  const url = await api.listen()
  const [ada, grace] = [await signUp(api, 'ada'), await signUp(api, 'grace')]
  const body = { name: 'stream', scopes: ['read'] }
  const made = await api.ask('POST', '/api/keys', { token: ada.token, body })
  const { key: apiKey } = made.body.key as { key: string }
  const [byToken, byKey, other] = [
    await openStreamAt(url, { token: ada.token }),
    await openStreamAt(url, { apiKey }),
    await openStreamAt(url, { token: grace.token }),
  ]
  expect((await remove(api, ada.token)).status).toBe(200)
  for (const stream of [byToken, byKey]) {
    await waitFor('the stream to end', () => stream.ended(), exactly('closed'))
  }
  expect(other.ended()).toBeUndefined()
  expect((await api.ask('GET', '/api/events/stream', { apiKey })).status).toBe(401)
})

test('a deletion takes no mail from the owner of an address that the account wanted to have', async () => {
  const api = await createTestApi()
  const [ada, grace] = [await signUp(api, 'ada'), await signUp(api, 'grace')]
  const before = await mailsTo(api, grace.email)
  const body = { email: grace.email, password: PASSWORD }
  expect((await api.ask('POST', '/api/auth/email', { token: ada.token, body })).status).toBe(200)
  expect(await mailsTo(api, grace.email)).toEqual(['email_taken', ...before])
  expect((await remove(api, ada.token)).status).toBe(200)
  expect(await mailsTo(api, grace.email)).toEqual(['email_taken', ...before])
  expect(await api.ctx.sql`select from mail where to_address = ${ada.email}`).toHaveLength(0)
})
