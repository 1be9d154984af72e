import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createSanctionScreen } from '../../../src/domain/people/index.ts'
import {
  createAttempts,
  createPolicies,
  createRateLimiter,
} from '../../../src/domain/service/index.ts'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { PRUNES } from '../../../worker/jobs/upkeep.ts'
import { address, txHash } from '../../support/chain-facts.ts'
import { eventTypes } from '../../support/event-types.ts'
import { type Answered, refusal } from './support/api.ts'
import {
  claimOf,
  DONOR,
  idOf,
  refused,
  setUp,
  signIn,
  unknown,
  WALLET,
} from './support/guest-world.ts'

test('records a donation and an intent of a guest, who claims them once by their links', async () => {
  const { api, clock, record, byHash, read, claim, mine, finalise, raised, balanced } =
    await setUp()
  const donation = await record(byHash('gift'))
  clock.advance(1)
  const intent = await record()
  for (const made of [intent, donation]) {
    expect(made).toMatchObject({
      status: 201,
      body: { data: { status: 'pending', userId: null } },
    })
    const { url, token } = claimOf(made)
    expect(url).toBe(`http://localhost:3000/claim#${token}`)
  }
  await mine('gift', WALLET, true)
  await mine('paid')
  await finalise()
  expect(await read(donation)).toMatchObject({ status: 'completed', userId: null })
  expect(await read(intent)).toMatchObject({ status: 'completed' })
  expect(await raised()).toBe('20000000')
  await balanced()
  const user = await api.signIn()
  for (const made of [intent, donation]) {
    expect(await claim(claimOf(made).token, user.token)).toMatchObject({
      status: 200,
      body: { data: { id: idOf(made), userId: user.userId, status: 'completed' } },
    })
  }
  expect(await raised()).toBe('20000000')
  await balanced()
  const events = await api.ctx.sql<{ user: string | null; audience: string[] }[]>`
    select event.body::jsonb -> 'data' ->> 'userId' as user, audience from event
    where type = 'donation.completed'`
  expect(events.map((event) => [event.user, event.audience.length])).toEqual([
    [null, 1],
    [null, 1],
  ])
})

test('gives a claim link to its first user, and never to a guess, a replay or after its time', async () => {
  const { api, clock, record, claim, read } = await setUp()
  const [made, late] = [await record(), await record()]
  const [first, second] = [await api.signIn(), await api.signIn()]
  const { token } = claimOf(made)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect((await claim(token)).status).toBe(401)
  const unverified = await api.signIn({ verified: false })
  expect((await claim(token, unverified.token)).status).toBe(403)
  const last = token.endsWith('A') ? 'E' : 'A'
  for (const guess of [`${token.slice(0, -1)}${last}`, token.toLowerCase(), 'A'.repeat(43)]) {
    if (guess !== token) expect(await claim(guess, first.token)).toMatchObject(unknown)
  }
  for (const guess of ['', token.slice(1), `${token}A`, '%'.repeat(43), idOf(made)]) {
    expect((await claim(guess, first.token)).status).toBe(400)
  }
  const [{ hash } = { hash: '' }] = await api.ctx.sql<{ hash: string }[]>`
    select token_hash as hash from claim_link limit 1`
  expect((await claim(hash.slice(0, 43), first.token)).status).toBe(404)
  const racing = await Promise.all([first, second].map((user) => claim(token, user.token)))
  expect(racing.map(({ status }) => status).sort()).toEqual([200, 404])
  const winner = racing[0]?.status === 200 ? first : second
  expect(await read(made, winner.token)).toMatchObject({ userId: winner.userId })
  expect(await claim(token, winner.token)).toMatchObject(unknown)
  clock.advance(30 * 24 * 3_600_000)
  const later = await api.signIn()
  expect(await claim(claimOf(late).token, later.token)).toMatchObject(unknown)
  expect(await PRUNES.claimLinks?.(api.ctx, 100)).toBe(1)
})

test('shows the claim link in no list, log, event or second answer, and keeps no copy of it', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { api, campaignId, record, read } = await setUp({ deps: { log } })
  const made = await record()
  const { token, url } = claimOf(made)
  const admin = await api.signIn({ roles: ['admin'] })
  const seen = [
    JSON.stringify(await read(made)),
    JSON.stringify(await read(made, admin.token)),
    (await api.ask('GET', `/api/donations?campaignId=${campaignId}`, { token: admin.token })).text,
    (await api.ask('GET', '/api/events', { token: admin.token })).text,
    ...lines,
  ]
  expect(lines.length).toBeGreaterThan(0)
  expect(made.headers.get('location')).not.toContain(token)
  expect(made.headers.get('cache-control')).toBe('no-store')
  for (const text of seen) expect(text).not.toContain(token)
  expect(new URL(url).pathname + new URL(url).search).toBe('/claim')
  const tables = await api.ctx.pool<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  for (const { name } of tables) {
    const found = await api.ctx.pool.unsafe(
      `select from "${name}" row where row::text like '%' || $1 || '%'`,
      [token],
    )
    expect(found.length, name).toBe(0)
  }
})

test('makes a guest’s donations those of the account that proves the sending wallet', async () => {
  const { api, record, byHash, read, claim, mine, finalise, balanced } = await setUp()
  const [intent, donation, foreign] = [
    await record({ amount: { value: '7', currency: 'USDC' } }),
    await record(byHash('gift')),
    await record(byHash('foreign')),
  ]
  await mine('foreign', address('other'), true)
  await mine('gift', WALLET, true)
  await finalise()
  const owner = await signIn(api, DONOR)
  expect(await read(donation, owner.token)).toMatchObject({ userId: owner.userId })
  const other = await api.signIn()
  expect(await claim(claimOf(donation).token, other.token)).toMatchObject(unknown)
  expect((await claim(claimOf(intent).token, other.token)).status).toBe(200)
  // This donation names the owner's wallet, but another wallet paid.
  const admin = await api.signIn({ roles: ['admin'] })
  expect(await read(foreign, admin.token)).toMatchObject({ userId: null })
  const thief = await api.signIn()
  expect(await record(byHash('gift'), thief.token)).toMatchObject(refused)
  await balanced()
})

test('a guest’s gift stays the guest’s when another caller records its hash: unseen, in a block, or credited', async () => {
  const { api, record, byHash, read, claim, mine, finalise, raised, balanced } = await setUp()
  const gifts = {
    unseen: await record(byHash('unseen')),
    mined: await record(byHash('mined')),
    credited: await record(byHash('credited')),
  }
  await mine('credited', address('exchange'), true)
  await finalise()
  await mine('mined', address('exchange'), true)
  const thief = await api.signIn()
  for (const [tx, gift] of Object.entries(gifts)) {
    const { body } = { body: await read(gift) }
    for (const token of [undefined, thief.token]) {
      expect(await record(byHash(tx), token), tx).toMatchObject(refused)
    }
    expect(await read(gift)).toEqual(body)
  }
  await mine('unseen', address('exchange'), true)
  await finalise()
  const { token, userId } = await api.signIn()
  for (const [tx, gift] of Object.entries(gifts)) {
    expect(await record(byHash(tx), token), tx).toMatchObject(refused)
    expect(await claim(claimOf(gift).token, token)).toMatchObject({
      status: 200,
      body: { data: { userId, status: 'completed' } },
    })
    expect(await record(byHash(tx), token), tx).toMatchObject({ status: 200 })
  }
  expect(await raised()).toBe('30000000')
  expect(await eventTypes(api.ctx)).toEqual(Array(3).fill('donation.completed'))
  await balanced()
})

test('unpaid intents of strangers never move into the account of the wallet that they name', async () => {
  const { api, record, mine, finalise, fillWallet } = await setUp()
  const paid = await record()
  await mine('paid')
  await finalise()
  await fillWallet(100)
  const owner = await signIn(api, DONOR)
  const own = await api.ask('GET', `/api/donations?userId=${owner.userId}`, { token: owner.token })
  expect(own.body).toMatchObject({ donations: [{ id: idOf(paid) }] })
  expect((await record({}, owner.token)).status).toBe(201)
})

test('a guest who occupies the hash of an account’s intent gets nothing', async () => {
  const { api, clock, record, byHash, read, mine, finalise, balanced } = await setUp()
  const { token } = await api.signIn()
  const [intent, next] = [await record({}, token), await record({}, token)]
  clock.advance(1)
  const squatters = [await record(byHash('paid')), await record()]
  await mine('paid', WALLET, true)
  const paid = [await read(intent), await read(next)].filter((one) => one.status === 'confirming')
  expect(paid).toHaveLength(1)
  await finalise()
  for (const one of squatters) expect((await read(one)).status).not.toBe('completed')
  expect(await read(squatters[0] as Answered)).toMatchObject({
    reason: 'transfer_already_claimed',
  })
  await balanced()
})

test('keeps no words of a guest who named another wallet than the one that paid', async () => {
  const { api, record, byHash, read, mine } = await setUp()
  const words = { name: 'Thief', message: 'Visit evil.example' }
  const donor = { walletAddress: address('another'), ...words }
  const donation = await record({ ...byHash('gift'), type: 'spam', donor })
  await mine('gift', WALLET, true)
  expect(await read(donation)).toMatchObject({ type: 'spam', donor: words })
  const { userId, token } = await signIn(api, DONOR)
  expect(await read(donation, token)).toMatchObject({ userId, type: null, donor: null })
})

test('lets a guest attach a hash with the token of the claim link, which stays good', async () => {
  const { api, record, claim } = await setUp()
  const [made, other] = [await record(), await record()]
  const hash = txHash('a')
  const attach = (claimToken?: string, token?: string) =>
    api.ask('PATCH', `/v1/donations/${idOf(made)}`, {
      body: { txHash: hash, claimToken },
      token,
    })
  expect((await attach()).status).toBe(401)
  expect((await attach(claimOf(other).token)).status).toBe(403)
  const stranger = await api.signIn()
  expect((await attach(undefined, stranger.token)).status).toBe(403)
  const { token } = claimOf(made)
  expect(await attach(token)).toMatchObject({
    status: 200,
    body: { data: { payment: { txHash: hash } } },
  })
  expect((await claim(token, stranger.token)).status).toBe(200)
  expect((await attach(token)).status).toBe(403)
})

test('limits the guests of a wallet in an hour, so that one network locks out no other', async () => {
  const { api, clock, record, fillWallet } = await setUp()
  // One network may record 30 donations in an hour, so the other 99 come from several networks.
  await fillWallet(99)
  expect((await record()).status).toBe(201)
  expect(await record()).toMatchObject(refusal(409, 'too_many_pending'))
  const other = { donor: { walletAddress: address('another') } }
  expect((await record(other)).status).toBe(201)
  const { token } = await api.signIn()
  expect((await record({}, token)).status).toBe(201)
  clock.advance(3_600_000)
  expect((await record()).status).toBe(201)
})

test('refuses a guest’s flood from one network, and tells how long it lasts', async () => {
  const first = await setUp()
  const { pool } = first.api.ctx
  const hash = (id: string) => first.api.deps.fingerprint(id)[0]
  const deps = { sql: pool, clock: systemClock, hash }
  const rateLimits = {
    limiter: createRateLimiter({ ...deps, log: first.api.ctx.log }),
    attempts: createAttempts(deps),
    policies: createPolicies({ anonymous: 1_000, user: 1_000, login: 10 }),
    trustedProxies: 1,
  }
  const { api, record, campaignId } = await setUp({ deps: { rateLimits } })
  const from = (network: string, wallet: string) =>
    api.ask('POST', '/v1/donations', {
      headers: { 'x-forwarded-for': network },
      body: {
        campaignId,
        amount: { value: '1', currency: 'USDC' },
        donor: { walletAddress: address(wallet) },
      },
    })
  for (let index = 0; index < 30; index++) {
    expect((await from('198.51.100.7', `w${index}`)).status).toBe(201)
  }
  const limited = await from('198.51.100.7', 'more')
  expect(limited).toMatchObject(refusal(429, 'rate_limited'))
  expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await from('198.51.100.8', 'more')).status).toBe(201)
  const { token } = await api.signIn()
  expect((await record({}, token)).status).toBe(201)
})

test('refuses a guest without a wallet, in another’s name, on /api, and for a sanctioned wallet', async () => {
  const sanctions = createSanctionScreen({
    list: new Set([address('listed')]),
    oracles: [],
    clock: systemClock,
  })
  const { api, record, byHash, campaignId } = await setUp({ sanctions })
  for (const changes of [{}, byHash('a')]) {
    expect(await record({ ...changes, donor: undefined })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'donor.walletAddress' }] },
    })
  }
  const { userId, token } = await api.signIn({ verified: false })
  expect((await record({ userId })).status).toBe(401)
  expect((await record({}, token)).status).toBe(403)
  expect((await record({ donor: { walletAddress: address('listed') } })).status).toBe(451)
  const asked = { body: { campaignId, amount: { value: '1', currency: 'USDC' }, ...byHash('a') } }
  expect((await api.ask('POST', '/api/donations', asked)).status).toBe(401)
})
