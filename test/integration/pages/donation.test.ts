import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { address, applyBlock, minedAt, startChain, txHash } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { finalise } from '../../support/finalise.ts'
import { createTestCampaign, createUser } from '../../support/world.ts'
import { inRounds } from './support/in-rounds.ts'
import { cookieOf, signUpPage } from './support/page-user.ts'
import { readLive } from './support/read-live.ts'
import { createTestPages, pagesOf } from './support/test-pages.ts'

const ACCOUNT = address('campaign')
const WALLET = address('donor')

/** An open campaign on a followed chain, and a guest's intent of 12.50 USDC for it. */
const setUp = async () => {
  const pages = await createTestPages({ clock: createFakeClock(minedAt(0)) })
  const { ctx } = pages
  const creator = await createUser(ctx)
  const campaignId = await createTestCampaign(ctx, { creator, account: ACCOUNT })
  await startChain(ctx)
  const given = await pages.visit(`/c/${campaignId}/donate`, {
    form: { amount: '12.50', currency: 'USDC', wallet: WALLET, message: 'For <b>water</b>.' },
  })
  const path = given.location ?? ''
  return {
    ...pages,
    ...{ path, id: path.slice('/d/'.length), guest: cookieOf(given) },
    /** Applies a block with the payment. `settle` makes the block final. */
    pay: () => applyBlock(ctx, 1, [{ tx: 'paid', to: ACCOUNT, from: WALLET, usdc: 12_500_000n }]),
    settle: () => finalise(ctx, 1),
  }
}

test('shows a promise, how to pay it, and in the browser of the guest how to keep it', async () => {
  const { visit, path, guest } = await setUp()
  const page = await visit(`${path}?utm_source=mail`)
  expect(page.status).toBe(200)
  expect(page.html).toContain('The payment has not arrived yet.')
  expect(page.html).toContain('data-stage="awaiting"')
  expect(page.html).not.toContain('water')
  expect(page.html).toContain('<meta name="robots" content="noindex"/>')
  expect(page.html).not.toContain('You gave without an account')
  const own = await visit(path, { cookie: guest })
  expect(own.html).toContain('For &lt;b>water&lt;/b>.')
  expect(own.html).toContain('You gave without an account')
  expect(own.html).toMatch(new RegExp(`action="${path}/claim".*Sign in to keep it`))
})

test('waits three times for the database to show a promise to its donor', async () => {
  const { path, guest, ...pages } = await setUp()
  const rounds: number[] = []
  const context: typeof pages.deps.context = (of) => {
    const ctx = pages.deps.context(of)
    return { ...ctx, sql: inRounds(ctx.sql, rounds) }
  }
  const { visit } = await pagesOf({ ...pages, deps: { ...pages.deps, context } })
  const page = await visit(path, { cookie: guest })
  expect(page.html).toContain('How to pay')
  // Round 1 reads the donation, its claim link and the keys. Round 2 reads the campaign, and round
  // 3 the chain and the other intents.
  expect(rounds).toEqual([3, 1, 2])
})

test('offers a signed-in guest to keep the donation, until it is kept', async () => {
  const { path, guest, ...pages } = await setUp()
  const session = await signUpPage(pages, 'grace')
  const cookie = `${session}; ${guest}`
  expect((await pages.visit(path, { cookie })).html).toContain(`action="${path}/claim"`)
  const kept = await pages.visit(`${path}/claim`, { cookie, form: {} })
  const history = await pages.visit(kept.location ?? '', { cookie })
  expect(history.html).toContain('The donation of 12.50\u00a0USDC is now in this account.')
  expect((await pages.visit(path, { cookie })).html).not.toContain('You gave without an account')
})

test('keeps how to pay until a block has the payment, also after a hash was named', async () => {
  const { visit, path, guest, pay } = await setUp()
  await visit(`${path}/hash`, { cookie: guest, form: { txHash: txHash('paid') } })
  const page = await visit(path, { cookie: guest })
  expect(page.html).toContain('How to pay')
  expect(page.html).toContain('Sent. Waiting for a block.')
  expect(page.html).toContain('data-stage="awaiting"')
  await pay()
  const paid = await visit(path, { cookie: guest })
  expect(paid.html).not.toContain('How to pay')
  expect(paid.html).toContain('data-stage="other"')
})

test('is found by search engines once it is paid, and has a valid receipt once it is credited', async () => {
  const { visit, path, pay, settle } = await setUp()
  expect((await visit(`${path}/receipt`)).html).toContain('There is no receipt.')
  await pay()
  const early = await visit(`${path}/receipt`)
  expect(early.html).toContain('This is no receipt.')
  expect(early.html).not.toContain('data-print')
  expect((await visit(path)).html).not.toContain('noindex')
  await settle()
  const receipt = await visit(`${path}/receipt?lang=fr`)
  expect(receipt.html).toContain('Reçu d’un don')
  expect(receipt.html).toContain(txHash('paid'))
  expect(receipt.html).toContain('data-print')
})

test('shows a hidden name on the receipt only to its donor', async () => {
  const { ctx, visit, path, id, guest, pay, settle } = await setUp()
  await ctx.sql`update donation set donor_name = 'Grace', donor_hidden = true where id = ${id}`
  await pay()
  await settle()
  expect((await visit(`${path}/receipt`)).html).not.toContain('Grace')
  expect((await visit(`${path}/receipt`, { cookie: guest })).html).toContain('Grace')
})

test('streams the way of a donation in the language of the page', async () => {
  const { site, path, pay, settle } = await setUp()
  const { shows, comes } = await readLive(site, `${path}/live?lang=de`)
  await shows('Die Zahlung ist noch nicht angekommen.')
  await pay()
  await shows('In Block 1, der noch nicht endgültig ist.')
  await settle()
  await shows('12,50\u00a0USDC sind der Kampagne gutgeschrieben.')
  await shows('Bewiesen')
  await comes('steps', 3)
})

test('knows no page, receipt or stream for an id without a donation', async () => {
  const { visit, site } = await setUp()
  for (const id of ['none', newId()]) {
    for (const path of [`/d/${id}`, `/d/${id}/receipt`]) {
      expect((await visit(path)).status).toBe(404)
    }
    expect((await site.request(`/d/${id}/live`)).status).toBe(404)
  }
})

test('lets only the page for any proof ask other hosts', async () => {
  const { visit, path } = await setUp()
  const policyOf = async (page: string) =>
    (await visit(page)).headers.get('content-security-policy') ?? ''
  const nodes = "connect-src 'self' https:"
  expect(await policyOf('/check')).toContain(`${nodes} http://localhost:* http://127.0.0.1:*;`)
  expect(await policyOf(path)).toContain("connect-src 'self';")
  const { html } = await visit('/check?lang=es')
  expect(html).toContain('<h1>Comprobar una prueba</h1>')
  expect(html).toContain('data-act="paste"')
  const production = await createTestPages({ settings: { environment: 'production' } })
  const check = await production.visit('/check')
  expect(check.headers.get('content-security-policy')).toContain(`${nodes};`)
  expect(check.html).toContain('&quot;mayAskLocal&quot;:false')
})
