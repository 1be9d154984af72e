import { expect, test } from 'vitest'
import {
  campaignBody,
  createApiWithUser,
  createClockedApi,
  createTestApi,
  requestOf,
  type TestApi,
} from './support/api.ts'

const countCampaigns = async (api: TestApi): Promise<number> => {
  const [row] = await api.ctx.sql<{ count: number }[]>`select count(*) from campaign`
  return row?.count ?? -1
}

const account = (n: number) => `0x${String(n).repeat(40)}`

test('replays the first answer byte for byte, quoted or bare', async () => {
  const { api, token } = await createApiWithUser()
  const ask = (key: string) =>
    api.ask('POST', '/api/campaigns', { token, key, body: campaignBody() })
  const first = await ask('one')
  const bare = await ask('one')
  const quoted = await ask('"one"')
  expect(first.status).toBe(201)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  for (const replay of [bare, quoted]) {
    expect(replay.status).toBe(201)
    expect(replay.text).toBe(first.text)
    expect(replay.headers.get('location')).toBe(first.headers.get('location'))
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
  }
  expect(await countCampaigns(api)).toBe(1)
})

test('refuses the key for another body or another address', async () => {
  const { api, token } = await createApiWithUser()
  await api.ask('POST', '/api/campaigns', { token, key: 'k', body: campaignBody() })
  const other = campaignBody({ ledger_account: account(2) })
  const body = await api.ask('POST', '/api/campaigns', { token, key: 'k', body: other })
  expect(body).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect((await api.ask('POST', '/api/auth/logout', { token, key: 'k' })).status).toBe(422)
})

test("keeps every caller's keys apart", async () => {
  const api = await createTestApi()
  for (const n of [1, 2]) {
    const { token } = await api.signIn()
    const body = campaignBody({ ledger_account: account(n) })
    expect((await api.ask('POST', '/api/campaigns', { token, key: 'k', body })).status).toBe(201)
  }
})

test('keeps the keys of callers without an account apart, by network and by what they ask', async () => {
  const api = await createTestApi()
  const ask = async (from: string, path: string, body?: unknown) => {
    const incoming = { socket: { remoteAddress: from } }
    const answer = await api.app.request(path, requestOf('POST', { key: 'k', body }), { incoming })
    return { status: answer.status, text: await answer.text() }
  }
  const wallet = await ask('192.0.2.1', '/api/sandbox/wallet')
  expect(wallet.status).toBe(201)
  expect(await ask('192.0.2.1', '/api/sandbox/wallet')).toEqual(wallet)
  const stranger = await ask('198.51.100.1', '/api/sandbox/wallet')
  expect(stranger.status).toBe(201)
  expect(stranger.text).not.toBe(wallet.text)
  const register = (username: string) => {
    const body = { username, email: `${username}@example.org`, password: 'quiet-river-42-stones' }
    return ask('192.0.2.1', '/api/auth/register', body)
  }
  const [ada, grace] = [await register('ada'), await register('grace')]
  expect([ada.status, grace.status]).toEqual([201, 201])
  expect(await register('ada')).toEqual(ada)
})

test('does the work once when the same request comes many times at once', async () => {
  const { api, token } = await createApiWithUser()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      api.ask('POST', '/api/campaigns', { token, key: 'race', body: campaignBody() }),
    ),
  )
  const created = answers.filter(({ status }) => status === 201)
  const waiting = answers.filter(({ status }) => status === 409)
  expect(created.length).toBeGreaterThanOrEqual(1)
  expect(created.length + waiting.length).toBe(12)
  expect(new Set(created.map(({ text }) => text)).size).toBe(1)
  for (const { body, headers } of waiting) {
    expect(body).toMatchObject({ code: 'idempotency_in_progress' })
    expect(headers.get('retry-after')).toBe('1')
  }
  expect(await countCampaigns(api)).toBe(1)
})

test('says that the first request is still running', async () => {
  const { api, userId, token } = await createApiWithUser()
  await api.ctx.pool.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`user:${userId}\nslow`}, 0))`
    const second = await api.ask('POST', '/api/campaigns', {
      token,
      key: 'slow',
      body: campaignBody(),
    })
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
  })
})

test('stores no refusal: the same key may be used for the corrected request', async () => {
  const { api, token } = await createApiWithUser()
  const ask = (changes: Record<string, unknown>) =>
    api.ask('POST', '/api/campaigns', { token, key: 'k', body: campaignBody(changes) })
  expect((await ask({ target_amount: 0 })).status).toBe(400)
  expect((await ask({ currency: 'DOGE' })).status).toBe(400)
  expect((await ask({})).status).toBe(201)
})

test('commits the effect and the stored answer together, or neither', async () => {
  const { api, token } = await createApiWithUser()
  const ask = () =>
    api.ask('POST', '/api/campaigns', { token, key: 'k'.repeat(255), body: campaignBody() })
  // If the answer cannot be stored, the campaign is rolled back.
  const { secrets } = api.ctx
  api.deps.context = (base) => ({
    ...api.ctx,
    ...base,
    secrets: {
      ...secrets,
      seal: () => {
        throw new Error('no room for secrets')
      },
    },
  })
  const failed = await ask()
  expect(failed).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect(failed.text).not.toContain('no room')
  expect(await countCampaigns(api)).toBe(0)
  api.deps.context = (base) => ({ ...api.ctx, ...base })
  expect((await ask()).status).toBe(201)
})

test('refuses invalid keys', async () => {
  const { api, token } = await createApiWithUser()
  for (const key of ['', '""', 'k'.repeat(256), '"open', 'a"b', 'clé']) {
    const answer = await api.ask('POST', '/api/campaigns', { token, key, body: campaignBody() })
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_invalid' } })
  }
  expect(await countCampaigns(api)).toBe(0)
})

test('forgets a key after a day', async () => {
  const { api, clock } = await createClockedApi()
  const caller = await api.signIn()
  const ask = async (n: number) => {
    const { userId } = caller
    const claims = { userId, sessionId: userId, roles: [], verified: true }
    const token = await api.tokens.issue(claims)
    const body = campaignBody({ ledger_account: account(n) })
    return api.ask('POST', '/api/campaigns', { token, key: 'k', body })
  }
  expect((await ask(1)).status).toBe(201)
  clock.advance(23 * 3_600_000)
  expect((await ask(2)).status).toBe(422)
  clock.advance(2 * 3_600_000)
  expect((await ask(2)).status).toBe(201)
})

test('keeps no secret of a stored answer readable, nor of the request', async () => {
  const { api, token } = await createApiWithUser()
  const body = { url: 'http://127.0.0.1:3999/hook' }
  const first = await api.ask('POST', '/api/webhooks', { token, key: 'hook', body })
  expect(first.status).toBe(201)
  const { secret } = (first.body as { webhook: { secret: string } }).webhook
  const again = await api.ask('POST', '/api/webhooks', { token, key: 'hook', body })
  expect(again.text).toBe(first.text)
  const [row] = await api.ctx.sql<{ stored: string }[]>`
    select idempotency_key::text as stored from idempotency_key`
  expect(row?.stored).not.toContain(secret)
})
