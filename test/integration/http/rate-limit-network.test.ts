import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { createTestCampaign, createUser } from '../../support/world.ts'
import { PASSWORD } from './support/account.ts'
import { createLimitedApi } from './support/limited-api.ts'

type Api = Awaited<ReturnType<typeof createLimitedApi>>

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

test('limits the users and keys of one network together, and no other network', async () => {
  const api = await createLimitedApi({ limits: { user: 5 } })
  const users = []
  for (let i = 0; i < 9; i++) users.push(await api.signIn())
  const found: number[] = []
  for (const { token } of users.slice(0, 8)) {
    found.push(
      ...(await api.statuses(5, 'GET', '/api/auth/me', { token, from: '2001:db8:7:1::1' })),
    )
  }
  expect(found).toEqual(times(40, 200))
  const token = users[8]?.token ?? ''
  const refused = await api.ask('GET', '/api/auth/me', { token, from: '2001:db8:7:2::1' })
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({
    code: 'rate_limited',
    error: expect.stringContaining('requests from your network'),
  })
  expect(refused.headers.get('ratelimit-policy')).toContain('"network";q=40;w=60')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api.ask('GET', '/api/auth/me', { token, from: '2001:db8:8::1' })).status).toBe(200)
})

test('the refused requests of one user use up nothing of the limit of the network', async () => {
  const api = await createLimitedApi({ limits: { user: 5 } })
  const [one, other] = [await api.signIn(), await api.signIn()]
  expect(await api.statuses(60, 'GET', '/api/auth/me', { token: one.token })).toContain(429)
  expect((await api.ask('GET', '/api/auth/me', { token: other.token })).status).toBe(200)
})

const register = async (api: Api, name: string, from: string) => {
  const body = { email: `${name}@example.org`, username: name, password: PASSWORD }
  return (await api.ask('POST', '/api/auth/register', { body, from })).status
}

/** Signs in with a wallet. Returns the status of the answer. */
const signInWith = async (api: Api, key: Pick<Wallet, 'address' | 'signMessage'>, from: string) => {
  const path = '/api/auth/wallets/sign-in'
  const asked = await api.ask('POST', `${path}/challenge`, { body: { address: key.address }, from })
  const { challenge } = (await asked.json()) as { challenge: { nonce: string; message: string } }
  const { nonce, message } = challenge
  const body = { nonce, signature: await key.signMessage(message) }
  return (await api.ask('POST', path, { body, from })).status
}

test('limits the new accounts of a network in an hour, by mail and by wallet together', async () => {
  const api = await createLimitedApi({ limits: { anonymous: 0, login: 1 } })
  const [network, other] = ['192.0.2.1', '192.0.2.2']
  const known = Wallet.createRandom()
  expect(await signInWith(api, known, network)).toBe(201)
  expect(await register(api, 'ada', network)).toBe(201)
  // A refused registration does not count.
  expect(await register(api, 'ada', network)).toBe(409)
  expect(await register(api, '!', network)).toBe(400)
  expect(await register(api, 'grace', network)).toBe(201)
  expect(await signInWith(api, Wallet.createRandom(), network)).toBe(201)

  expect(await register(api, 'mary', network)).toBe(429)
  expect(await signInWith(api, Wallet.createRandom(), network)).toBe(429)
  const [made] = await api.ctx.sql`select count(*)::int as accounts from app_user`
  const [mailed] = await api.ctx.sql`select count(*)::int as mails from mail`
  expect([made, mailed]).toEqual([{ accounts: 4 }, { mails: 2 }])
  // Existing accounts still sign in, and other networks still register.
  expect(await signInWith(api, known, network)).toBe(200)
  expect(await register(api, 'mary', other)).toBe(201)
  api.clock.advance(3_600_000)
  expect(await register(api, 'joan', network)).toBe(201)
})

test('what validation refuses does not count as a donation of a guest', async () => {
  const api = await createLimitedApi({ limits: { anonymous: 1_000 } })
  const creator = await createUser(api.ctx)
  const campaignId = await createTestCampaign(api.ctx, {
    creator,
    account: Wallet.createRandom().address,
  })
  const donor = { walletAddress: Wallet.createRandom().address }
  const body = { campaignId, amount: { value: '1', currency: 'USDC' }, donor }
  const post = (asked: object) => api.ask('POST', '/v1/donations', asked)
  for (let i = 0; i < 35; i++) {
    // Sends the body in the way that a page of another site can.
    const foreign = { headers: { 'content-type': 'text/plain' }, raw: JSON.stringify(body) }
    expect((await post(foreign)).status).toBe(415)
    expect((await post({ raw: '{' })).status).toBe(400)
    expect((await post({ body: { ...body, campaignId: 'x' } })).status).toBe(400)
  }
  expect((await post({ body })).status).toBe(201)
})

test('what validation refuses counts neither as a failed sign-in nor as a guess at a code', async () => {
  const api = await createLimitedApi({ limits: { anonymous: 0, login: 1 } })
  const wrong = [
    ['/api/auth/login', { username: 'ada', password: '' }],
    ['/api/auth/login', { username: 'ada', password: 'x', more: 1 }],
    ['/api/auth/request-verification', { email: 'ada@example.org', code: 'x' }],
  ] as const
  for (const [path, body] of wrong) {
    expect(await api.statuses(7, 'POST', path, { body })).toEqual(times(7, 400))
  }
  const body = { username: 'ada', password: 'wrong' }
  expect(await api.statuses(2, 'POST', '/api/auth/login', { body })).toEqual([401, 429])
})
