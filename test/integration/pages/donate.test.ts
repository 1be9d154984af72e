import { Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import {
  createAttempts,
  createPolicies,
  createRateLimiter,
} from '../../../src/domain/service/index.ts'
import type { AppDeps } from '../../../src/edge/deps.ts'
import type { RateLimits } from '../../../src/edge/request/rate-limit.ts'
import type { SanctionScreen } from '../../../src/kernel/ports/sanctions.ts'
import { address, applyBlock, minedAt, startChain, txHash } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { createTestCampaign, createUser, type WorldOptions } from '../../support/world.ts'
import { register } from '../http/support/account.ts'
import { fillWallet } from '../http/support/guest-world.ts'
import { cookieOf, signInPage, signOnPage, signUpPage } from './support/page-user.ts'
import { createTestPages } from './support/test-pages.ts'

const ACCOUNT = address('campaign')
const WALLET = Wallet.createRandom().address
const JSON_ONLY = { accept: 'application/json' }

/** An open campaign on a followed chain, and functions that send the forms of its donors. */
const setUp = async (options: WorldOptions & { deps?: Partial<AppDeps> } = {}) => {
  const pages = await createTestPages({ clock: createFakeClock(minedAt(0)), ...options })
  const creator = await createUser(pages.ctx)
  const campaignId = await createTestCampaign(pages.ctx, { creator, account: ACCOUNT })
  await startChain(pages.ctx)
  const give = (fields: Record<string, string> = {}, cookie?: string) =>
    pages.visit(`/c/${campaignId}/donate`, {
      cookie,
      form: { amount: '12.50', currency: 'USDC', wallet: WALLET, ...fields },
    })
  const pay = (fields: Record<string, string>, cookie?: string) =>
    pages.visit(`/c/${campaignId}/paid`, { cookie, form: { currency: 'USDC', ...fields } })
  const read = async (path: string | null) => {
    const answer = await pages.ask('GET', `/v1/donations/${path?.slice('/d/'.length)}`)
    return answer.body
  }
  const mine = (tx: string, usdc = 12_500_000n, claimed = false) =>
    applyBlock(pages.ctx, 1, [{ tx, to: ACCOUNT, from: WALLET.toLowerCase(), usdc, claimed }])
  return { ...pages, campaignId, give, pay, read, mine }
}

/** Rate limits as in production, which count in another database. */
const guestLimits = async (): Promise<RateLimits> => {
  const { ctx, deps } = await createTestPages({ clock: createFakeClock(minedAt(0)) })
  const hash = (id: string) => deps.fingerprint(id)[0]
  const counts = { sql: ctx.pool, clock: ctx.clock, hash }
  return {
    limiter: createRateLimiter({ ...counts, log: ctx.log }),
    attempts: createAttempts(counts),
    policies: createPolicies({ anonymous: 1_000, user: 1_000, login: 10 }),
    trustedProxies: 0,
  }
}

const closeCampaign = ({ ctx, campaignId }: Awaited<ReturnType<typeof setUp>>) =>
  ctx.sql`update campaign set status = 'cancelled' where id = ${campaignId}`

describe('giving by a form', () => {
  test('records the intent of a guest, and keeps it only for its own page', async () => {
    const { give, read, mine } = await setUp()
    const given = await give({ name: ' Ada ', message: 'For water.' })
    expect(given.status).toBe(303)
    expect(given.location).toMatch(/^\/d\/[0-9a-f-]{36}$/)
    const [, path] =
      /Path=([^;]+); HttpOnly; SameSite=Lax/.exec(given.headers.get('set-cookie') ?? '') ?? []
    expect(path).toBe(given.location)
    expect(await read(given.location)).toMatchObject({
      donor: null,
      amount: { value: 12.5, currency: 'USDC' },
      confirmation: { reason: 'waiting_for_payment' },
    })
    await mine('paid')
    const words = { name: 'Ada', message: 'For water.' }
    expect(await read(given.location)).toMatchObject({ donor: words })
  })

  test('lets only the browser of a guest name the hash and cancel', async () => {
    const { give, visit, read } = await setUp()
    const given = await give()
    const place = given.location ?? ''
    const hash = txHash('payment')
    expect((await visit(`${place}/hash`, { form: { txHash: hash } })).status).toBe(401)
    const cookie = cookieOf(given)
    const wrong = await visit(`${place}/hash`, { cookie, form: { txHash: '0x12' } })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('value="0x12"')
    const named = await visit(`${place}/hash`, { cookie, form: { txHash: hash } })
    expect([named.status, named.location]).toEqual([303, place])
    expect(await read(place)).toMatchObject({ payment: { txHash: hash } })
    expect((await visit(`${place}/cancel`, { form: {} })).status).toBe(401)
    expect((await visit(`${place}/cancel`, { cookie, form: {} })).status).toBe(303)
    expect(await read(place)).toMatchObject({ status: 'failed', reason: 'cancelled' })
  })

  test('gives a guest the donation by one click, also if the sign-in comes after it', async () => {
    const { give, read, ...pages } = await setUp()
    const given = await give()
    const click = await pages.visit(`${given.location}/claim`, {
      cookie: cookieOf(given),
      form: {},
    })
    expect(click.location).toBe('/sign-in?to=%2Fclaim%2Fkept')
    const session = await signUpPage(pages, 'grace')
    const claimed = await pages.visit('/claim/kept', { cookie: `${session}; ${cookieOf(click)}` })
    expect([claimed.status, claimed.location]).toEqual([
      303,
      `/account/donations?claimed=${given.location?.slice('/d/'.length)}`,
    ])
    const [row] = await pages.ctx.sql<{ username: string }[]>`
      select username from donation join app_user on app_user.id = donation.user_id`
    expect(row?.username).toBe('grace')
  })

  test('lets an account change and keep a donation only with a confirmed address', async () => {
    const { give, ...pages } = await setUp()
    const given = await give()
    const place = given.location ?? ''
    await register(pages, 'grace')
    const cookie = `${cookieOf(await signInPage(pages, 'grace'))}; ${cookieOf(given)}`
    for (const what of ['claim', 'cancel', 'hash']) {
      const form = { txHash: txHash('payment') }
      const { status, location } = await pages.visit(`${place}/${what}`, { cookie, form })
      const to = what === 'claim' ? '/claim/kept' : place
      expect([status, location]).toEqual([303, `/verify?to=${encodeURIComponent(to)}`])
    }
  })

  test('records the intent of an account, which needs no token', async () => {
    const { give, ...pages } = await setUp()
    const session = await signUpPage(pages, 'ada')
    const given = await give({}, session)
    expect(given.headers.get('set-cookie')).toMatch(/^donation=\.0x/)
    const cancelled = await pages.visit(`${given.location}/cancel`, { cookie: session, form: {} })
    expect(cancelled.status).toBe(303)
  })

  test('answers a script with the payment, and its refusals with a problem', async () => {
    const { visit, campaignId } = await setUp()
    const path = `/c/${campaignId}/donate`
    const form = { amount: '5', currency: 'ETH', wallet: WALLET }
    const given = await visit(path, { form, headers: JSON_ONLY })
    expect(given.status).toBe(201)
    expect(JSON.parse(given.html)).toMatchObject({
      wallet: WALLET,
      token: null,
      units: '5000000000000000000',
      methods: null,
    })
    const refused = await visit(path, {
      form: { ...form, amount: '1.000' },
      headers: { ...JSON_ONLY, 'accept-language': 'de' },
    })
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.html)).toEqual({
      problem: 'refused',
      text: 'Geben Sie einen Betrag wie 25 oder 12,50 ein.',
    })
    expect(refused.headers.get('content-type')).toBe('application/json')
  })

  test.each([
    [{ amount: '0' }, 'Enter an amount such as'],
    [{ amount: '1,000' }, 'Enter an amount such as'],
    [{ amount: '0.0000001' }, 'Enter an amount such as'],
    [{ currency: 'EUR' }, 'does not take this currency'],
    [{ wallet: '' }, 'Enter the address of the wallet'],
    [{ wallet: '0x12' }, 'Enter the address of the wallet'],
    [{ wallet: ACCOUNT }, 'the account of the campaign itself'],
    [{ name: 'a'.repeat(81) }, 'at most 80 characters'],
    [{ message: 'a\nb' }, 'at most 280 characters'],
  ])('refuses %j, and keeps what was typed', async (fields: Record<string, string>, text) => {
    const { give } = await setUp()
    const { name = 'Grace' } = fields
    const refused = await give({ name, ...fields })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain(text)
    expect(refused.html).toContain(`value="${name}"`)
  })

  test('names all wrong fields in one answer, also to a script', async () => {
    const { visit, give, pay, campaignId } = await setUp()
    const wrong = { amount: '0', name: 'a'.repeat(81), message: 'a\nb', wallet: '0x12' }
    const texts = ['Enter an amount', 'at most 80', 'at most 280', 'Enter the address']
    const refused = await give(wrong)
    expect(refused.status).toBe(400)
    for (const text of texts)
      expect(refused.html).toMatch(new RegExp(`<a href="#[^"]+">[^<]*${text}`))
    expect(refused.html.split('class="field-error"')).toHaveLength(5)
    const form = { ...wrong, currency: 'USDC' }
    const path = `/c/${campaignId}/donate`
    const { text } = JSON.parse((await visit(path, { form, headers: JSON_ONLY })).html)
    for (const one of texts) expect(text).toContain(one)
    const paid = await pay({ transaction: 'yesterday', amount: 'ten', wallet: '0x12' })
    expect(paid.html.split('class="field-error"')).toHaveLength(4)
    const unknown = await pay({ transaction: txHash('later') })
    expect(unknown.html).toContain('No block that we know has this payment yet')
    expect(unknown.html).toContain('Enter the address')
  })

  test('says that a name such as jonas.eth does not work, and what to enter', async () => {
    const { give } = await setUp()
    const refused = await give({ wallet: 'jonas.eth' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Names such as jonas.eth do not work here.')
    expect(refused.html).toContain('value="jonas.eth"')
  })

  test('reads an amount in the way of the language', async () => {
    const { visit, campaignId, read } = await setUp()
    const given = await visit(`/c/${campaignId}/donate?lang=de`, {
      form: { amount: '12,50', currency: 'USDC', wallet: WALLET },
    })
    expect(await read(given.location)).toMatchObject({ amount: { value: 12.5 } })
  })

  test('reads an amount in the language of its form, not in one that was chosen later', async () => {
    const { give, pay, read, visit, campaignId } = await setUp()
    const page = await visit(`/c/${campaignId}/donate`)
    expect(page.html).toContain('<input type="hidden" name="lang" value="en"/>')
    const cookie = 'lang=de'
    const given = await give({ amount: '1,500', lang: 'en' }, cookie)
    expect(given.status).toBe(400)
    expect(given.html).toMatch(/<input name="amount"[^>]* value(=""|\/)/)
    const transaction = txHash('later')
    const form = { transaction, wallet: WALLET, amount: '12.500', lang: 'en' }
    const paid = await pay(form, cookie)
    expect(await read(paid.location)).toMatchObject({ amount: { value: 12.5 } })
  })

  test('refuses a sanctioned wallet with 451, and does not show an error of the country', async () => {
    const sanctions: SanctionScreen = { active: true, isSanctioned: () => true }
    const { give } = await setUp({ sanctions })
    const refused = await give()
    expect(refused.status).toBe(451)
    expect(refused.html).toContain('The law forbids us to take part in transfers with this wallet')
  })

  test('takes nothing for a closed campaign, and does not show its account', async () => {
    const world = await setUp()
    await closeCampaign(world)
    const shown = await world.visit(`/c/${world.campaignId}/donate`)
    expect(shown.status).toBe(200)
    expect(shown.html).toContain('This campaign takes no donations now')
    expect(shown.html).not.toContain(ACCOUNT)
    expect((await world.give()).status).toBe(409)
  })

  test('stops asking for the payment of an intent when its campaign closes', async () => {
    const world = await setUp()
    const given = await world.give()
    const place = given.location ?? ''
    const cookie = cookieOf(given)
    expect((await world.visit(place, { cookie })).html).toContain('How to pay')
    await closeCampaign(world)
    expect((await world.visit(place, { cookie })).html).not.toContain('How to pay')
  })

  test('limits the donations of guests that wait for one wallet', async () => {
    const { give, ...world } = await setUp()
    await fillWallet(world, { campaignId: world.campaignId, wallet: WALLET, count: 99 })
    expect((await give()).status).toBe(303)
    const refused = await give()
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('Too many donations already wait')
  })

  test('limits the donations of guests from one network, in words about donations', async () => {
    const { give } = await setUp({ deps: { rateLimits: await guestLimits() } })
    for (let count = 0; count < 30; count++) {
      expect((await give({ wallet: Wallet.createRandom().address })).status).toBe(303)
    }
    const last = await give()
    expect(last.status).toBe(429)
    expect(last.html).toContain('Too many donations came from your network.')
    expect(last.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('fills in the amount of a link, and ignores other parameters', async () => {
    const { visit, campaignId } = await setUp()
    const { html } = await visit(`/c/${campaignId}/donate?amount=25&currency=ETH&utm_source=x`)
    expect(html).toMatch(/<input name="amount"[^>]*value="25"/)
    expect(html).toMatch(/<option value="ETH" selected/)
  })

  test('lets no link fill in a wallet, a transaction or words', async () => {
    const { visit, campaignId } = await setUp()
    const query = `wallet=${WALLET}&name=Mallory&message=Mallory&transaction=${txHash('a')}`
    for (const page of ['donate', 'paid']) {
      const { html, status } = await visit(`/c/${campaignId}/${page}?${query}`)
      expect(status).toBe(200)
      expect(html).not.toMatch(new RegExp(`value="(${WALLET}|Mallory|${txHash('a')})"`))
    }
  })

  test('has no page for an unknown campaign or donation', async () => {
    const { visit } = await setUp()
    expect((await visit('/c/nowhere/donate')).status).toBe(404)
    expect((await visit('/c/nowhere/paid')).status).toBe(404)
    expect((await visit('/d/nonsense/cancel', { form: {} })).status).toBe(404)
  })

  test('refuses a form of another site', async () => {
    const { visit, campaignId } = await setUp()
    const foreign = await visit(`/c/${campaignId}/donate`, {
      form: { amount: '5', currency: 'USDC', wallet: WALLET },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.status).toBe(403)
  })
})

describe('a payment that is already sent', () => {
  test('is found by its hash, with amount and wallet', async () => {
    const { pay, mine, read } = await setUp()
    await mine('sent')
    const found = await pay({ transaction: `https://scan.example/tx/${txHash('sent')}` })
    expect(found.status).toBe(303)
    expect(await read(found.location)).toMatchObject({
      amount: { value: 12.5, currency: 'USDC' },
      transaction: { txHash: txHash('sent') },
    })
  })

  test('is looked for while no block has it, if the donor says amount and wallet', async () => {
    const { pay, read } = await setUp()
    const transaction = txHash('later')
    const unknown = await pay({ transaction })
    expect(unknown.status).toBe(400)
    expect(unknown.html).toContain('No block that we know has this payment yet')
    expect(unknown.html).toContain(`value="${transaction}"`)
    const waiting = await pay({ transaction, amount: '7', wallet: WALLET })
    expect(await read(waiting.location)).toMatchObject({
      amount: { value: 7 },
      confirmation: { reason: 'waiting_for_transaction' },
    })
  })

  test('of another donation is refused, with a way for its sender', async () => {
    const { pay, mine, give, ctx } = await setUp()
    const given = await give()
    await mine('mine')
    const [claimed] = await ctx.sql<{ transferId: string | null }[]>`
      select transfer_id from donation`
    expect(claimed?.transferId).not.toBeNull()
    const refused = await pay({ transaction: txHash('mine') })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain(`href="${given.location}"`)
    expect(refused.html).toContain('/sign-in?to=%2Faccount%2Fdeposits')
  })

  test('needs a hash', async () => {
    const { pay } = await setUp()
    const refused = await pay({ transaction: 'yesterday' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Enter the hash of a transaction')
  })
})

test('the page for a payment that is already sent gives it to the account with the sending wallet', async () => {
  const { campaignId, pay, ...pages } = await setUp()
  const key = Wallet.createRandom()
  const from = key.address.toLowerCase()
  const thief = pages.as(await createUser(pages.ctx))
  await recordGift(thief, campaignId, { hash: txHash('gift'), from }, '25', 'USDC')
  await applyBlock(pages.ctx, 1, [{ tx: 'gift', to: ACCOUNT, from, usdc: 25_000_000n }])
  const gift = { transaction: txHash('gift') }
  const stranger = await pay(gift, await signUpPage(pages, 'stranger'))
  expect(stranger.status).toBe(409)
  expect(stranger.html).toContain('%2Faccount%2Fdeposits%2Fclaimed')
  const { location } = await pay(gift, cookieOf(await signOnPage(pages, '/sign-in/wallet', key)))
  expect(location).toMatch(/^\/d\//)
})
