import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createKeyedHash } from '../../../src/auth/keyed-hash.ts'
import {
  createAttempts,
  createPolicies,
  createRateLimiter,
} from '../../../src/domain/service/index.ts'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { address, txHash } from '../../support/chain-facts.ts'
import { createWorld } from '../../support/world.ts'
import { type Answered, requestOf } from './support/api.ts'
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

type World = Awaited<ReturnType<typeof setUp>>

const attach = (world: World, made: Answered, tx: string) =>
  world.api.ask('PATCH', `/v1/donations/${idOf(made)}`, {
    body: { txHash: txHash(tx), claimToken: claimOf(made).token },
  })

/** The amount in base units that the intent asks its donor to pay. */
const unitsOf = ({ body }: Answered) =>
  BigInt((body.data as { payment: { units: string } }).payment.units)

test('a stranger without an account who copies a guest’s intent and its hash takes nothing', async () => {
  const world = await setUp()
  const own = await world.record()
  expect((await attach(world, own, 'paid')).status).toBe(200)
  world.clock.advance(1)
  const copies = [await world.record(), await world.record()]
  for (const copy of copies) await attach(world, copy, 'paid')
  await world.mine('paid')
  expect(await world.read(own)).toMatchObject({ status: 'confirming' })
  for (const copy of copies) {
    await attach(world, copy, 'paid')
    expect(await world.read(copy)).toMatchObject({ status: 'pending' })
  }
  await world.finalise()
  expect(await world.read(own)).toMatchObject({ status: 'completed' })
  await world.balanced()
})

test('a stranger without an account who attaches a guest’s hash after its block takes nothing', async () => {
  const world = await setUp()
  const copy = await world.record()
  world.clock.advance(1)
  const own = await world.record()
  await world.mine('paid', WALLET, false, unitsOf(own))
  expect(await world.read(own)).toMatchObject({ status: 'confirming' })
  await attach(world, copy, 'paid')
  expect(await world.read(own)).toMatchObject({ status: 'confirming' })
  expect(await world.read(copy)).toMatchObject({ status: 'pending' })
})

test.each(['a guest', 'an account'])(
  '%s who claims the hash of an announced payment takes nothing',
  async (who) => {
    const world = await setUp()
    const thief = who === 'a guest' ? undefined : (await world.api.signIn()).token
    const donor = await world.api.signIn()
    for (const [tx, token] of [
      ['attached', undefined],
      ['paid', undefined],
      ['of an account', donor.token],
    ] as const) {
      const own = await world.record({}, token)
      if (tx === 'attached') await attach(world, own, tx)
      world.clock.advance(1)
      const claim = await world.record(world.byHash(tx), thief)
      expect(claim.status).toBe(201)
      await world.mine(tx, WALLET, true)
      expect(await world.read(own)).toMatchObject({ status: 'confirming', amount: { value: 10 } })
      expect(await world.read(claim)).toMatchObject({ status: 'confirming', confirmedAmount: null })
      await world.finalise()
      expect(await world.read(own)).toMatchObject({ status: 'completed' })
      expect(await world.read(claim)).toMatchObject({
        status: 'failed',
        reason: 'transfer_already_claimed',
      })
    }
    await world.balanced()
  },
)

test('an intent that is younger or has expired takes nothing from a guest who names the hash', async () => {
  const { api, clock, record, byHash, read, mine, finalise, balanced } = await setUp()
  const expired = await record({ amount: { value: '7', currency: 'USDC' } })
  await api.ctx.sql`update donation set status = 'expired', next_check_at = null`
  clock.advance(1)
  const claim = await record(byHash('gift'))
  clock.advance(1)
  const younger = await record()
  await mine('gift', WALLET, true)
  await finalise()
  expect(await read(claim)).toMatchObject({ status: 'completed' })
  expect(await read(younger)).toMatchObject({ status: 'pending' })
  expect(await read(expired)).toMatchObject({ status: 'expired' })
  await balanced()
})

test('the guest who names a hash first keeps it, whichever of its logs others name later', async () => {
  const { api, clock, record, byHash, read, mine, finalise, raised, balanced } = await setUp()
  const named = (logPosition: number | 'native') => {
    const { transaction } = byHash('gift')
    return { transaction: { ...transaction, logPosition } }
  }
  const { token, userId } = await api.signIn()
  const donation = await record(byHash('gift'), token)
  expect(donation.status).toBe(201)
  clock.advance(1)
  const guests = [await record(named(0)), await record(named(1)), await record(named('native'))]
  for (const { status } of guests) expect(status).toBe(201)
  await mine('gift', address('exchange'), true)
  await finalise()
  expect(await read(donation, token)).toMatchObject({ status: 'completed', userId })
  for (const guest of guests) expect(await read(guest)).toMatchObject({ status: 'failed' })
  expect(await raised()).toBe('10000000')
  await balanced()
})

test('an account that has the claim link of a gift loses the gift to the wallet that sent it', async () => {
  const { api, record, byHash, read, claim, mine, finalise, raised, balanced } = await setUp()
  const [gift, intent] = [await record(byHash('gift')), await record()]
  await mine('gift', WALLET, true)
  await mine('paid')
  await finalise()
  const thief = await api.signIn()
  for (const made of [gift, intent]) {
    expect((await claim(claimOf(made).token, thief.token)).status).toBe(200)
  }
  const owner = await signIn(api, DONOR)
  for (const tx of ['gift', 'paid']) {
    expect(await record(byHash(tx), owner.token), tx).toMatchObject({
      status: 201,
      body: { data: { userId: owner.userId, status: 'completed' } },
    })
    expect(await record(byHash(tx), thief.token), tx).toMatchObject(refused)
  }
  expect(await claim(claimOf(gift).token, thief.token)).not.toMatchObject({ status: 200 })
  expect(await read(intent)).toMatchObject({ status: 'failed' })
  expect(await raised()).toBe('20000000')
  await balanced()
})

test('writes a claim token into no log or refusal, wherever a client puts it', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { api, record, claim } = await setUp({ deps: { log } })
  const [made, other] = [await record(), await record()]
  const { token, url } = claimOf(made)
  const user = await api.signIn()
  const headers = { referer: url, origin: url, cookie: `claim=${token}` }
  const answers = [
    await api.ask('GET', `/v1/donations?token=${token}`),
    await api.ask('GET', `/v1/donations/${token}`),
    await api.ask('GET', `/claim?token=${token}`, { headers }),
    await api.ask('POST', `/v1/donations/claim/${token}`, { token: user.token, body: {} }),
    await api.ask('POST', '/v1/donations/claim', { token: user.token, body: { claim: token } }),
    await api.ask('POST', '/v1/donations/claim', { token: user.token, raw: `{"token":"${token}` }),
    await api.ask('PATCH', `/v1/donations/${idOf(other)}`, {
      body: { txHash: txHash('a'), claimToken: token },
    }),
    await claim(`${token}${token}`, user.token),
    await claim(token),
  ]
  for (const { status, text } of answers) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain(token)
  }
  expect(lines.length).toBeGreaterThan(answers.length)
  for (const line of lines) expect(line).not.toContain(token)
  for (const { headers } of answers) expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test('stores a claim link for a repeated request encrypted, for that network and request only', async () => {
  const { api, campaignId, claim } = await setUp()
  const ask = async (from: string, value: string, key = 'k') => {
    const body = {
      campaignId,
      amount: { value, currency: 'USDC' },
      donor: { walletAddress: WALLET },
    }
    const incoming = { socket: { remoteAddress: from } }
    const answer = await api.app.request('/v1/donations', requestOf('POST', { key, body }), {
      incoming,
    })
    return (await answer.json()) as { claim: { token: string } }
  }
  const first = await ask('192.0.2.1', '1')
  expect(await ask('192.0.2.1', '1')).toEqual(first)
  const { token } = first.claim
  for (const other of [
    await ask('192.0.2.1', '2'),
    await ask('192.0.2.1', '1', 'K'),
    await ask('198.51.100.1', '1'),
    await ask('2001:db8::1', '1'),
  ]) {
    expect(other.claim.token).not.toBe(token)
  }
  const stored = await api.ctx.sql<{ row: string }[]>`
    select idempotency_key::text as row from idempotency_key`
  expect(stored.length).toBe(5)
  for (const { row } of stored) expect(row).not.toContain(token)
  const [one, other] = [await api.signIn(), await api.signIn()]
  expect((await claim(token, one.token)).status).toBe(200)
  // The repeated answer contains the link again, but the link has been used.
  expect(await ask('192.0.2.1', '1')).toEqual(first)
  expect(await claim(token, other.token)).toMatchObject(unknown)
})

test('counts the guests of a wallet in any spelling, also where they come at once', async () => {
  const { record, campaignId, api, byHash, fillWallet } = await setUp()
  await fillWallet(80)
  const spellings = [WALLET, DONOR.address, `0x${WALLET.slice(2).toUpperCase()}`]
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      record({
        donor: { walletAddress: spellings[at % spellings.length] },
        ...(at % 2 === 0 ? {} : byHash(String(at))),
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.filter((status) => status === 409)).toHaveLength(4)
  const [row] = await api.ctx.sql<{ open: number }[]>`
    select count(*)::int as open from donation where campaign_id = ${campaignId}`
  expect(row?.open).toBe(100)
})

test('limits the guests of an IPv6 /48 together, and believes no forwarded address before the proxy’s', async () => {
  const { ctx } = await createWorld()
  const hashes = createKeyedHash(ctx.secrets, 'limits')
  const deps = { sql: ctx.pool, clock: systemClock, hash: (id: string) => hashes(id)[0] }
  const rateLimits = {
    limiter: createRateLimiter({ ...deps, log: ctx.log }),
    attempts: createAttempts(deps),
    policies: createPolicies({ anonymous: 1_000, user: 1_000, login: 10 }),
    trustedProxies: 1,
  }
  const { record, api, campaignId } = await setUp({ deps: { rateLimits } })
  const from = async (forwarded: string) => {
    const answer = await api.ask('POST', '/v1/donations', {
      headers: { 'x-forwarded-for': forwarded },
      body: {
        campaignId,
        amount: { value: '1', currency: 'USDC' },
        donor: { walletAddress: address(`w${wallets++}`) },
      },
    })
    return answer.status
  }
  let wallets = 0
  for (let at = 0; at < 30; at++) {
    const subnet = at.toString(16)
    const spelled = at % 2 === 0 ? `2001:db8:7:${subnet}::1` : `2001:0DB8:0007:${subnet}:0:0:0:1`
    expect(await from(`203.0.113.${at}, ${spelled}`)).toBe(201)
  }
  expect(await from('2001:db8:7:ffff::1')).toBe(429)
  expect(await from('198.51.100.9, [2001:db8:7::5]:443')).toBe(429)
  expect(await from('2001:db8:8::1')).toBe(201)
  expect(await from('198.51.100.7')).toBe(201)
  // A request with a claim token counts for the limit too.
  const made = await record()
  const guess = await api.ask('PATCH', `/v1/donations/${idOf(made)}`, {
    headers: { 'x-forwarded-for': '2001:db8:7::9' },
    body: { txHash: txHash('a'), claimToken: claimOf(made).token },
  })
  expect(guess.status).toBe(429)
})
