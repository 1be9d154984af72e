import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { notify } from '../../../src/domain/people/index.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { codeFor, mailsTo, PASSWORD } from '../http/support/account.ts'
import { openCampaign } from './support/open-campaign.ts'
import { cookieOf, signInPage, signOnPage, signUpPage } from './support/page-user.ts'
import { createTestPages } from './support/test-pages.ts'

/** An open campaign, and a wallet that pays to it. */
const setUp = async () => {
  const pages = await openCampaign()
  const key = Wallet.createRandom()
  return {
    ...{ pages, key },
    give: (tx: string, token?: string) => pages.give(tx, { wallet: key.address, token }),
    /** Pays 10 USDC in a block that becomes final, which credits the payment. */
    pay: async (tx: string) => {
      await pages.pay(tx, key.address)
      await pages.settle()
    },
  }
}

test('leads people without a session to the sign-in, and back', async () => {
  const pages = await createTestPages()
  for (const path of ['/account', '/account/donations', '/account/deposits', '/notifications']) {
    const { status, location } = await pages.visit(path)
    expect({ status, location }).toEqual({
      status: 303,
      location: `/sign-in?to=${encodeURIComponent(path)}`,
    })
  }
  expect((await pages.visit('/account/password', { form: {} })).location).toBe(
    '/sign-in?to=%2Faccount',
  )
})

test('saves names and language, and shows the pages in it', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  const form = { username: 'ada.l', firstName: ' Ada ', lastName: '', lang: 'de' }
  const saved = await pages.visit('/account', { cookie, form })
  expect(saved).toMatchObject({ status: 303, location: '/account?note=saved' })
  expect(cookieOf(saved)).toBe('lang=de')
  const account = await pages.visit('/account?note=saved', { cookie: `${cookie}; lang=de` })
  expect(account.html).toContain('Gespeichert.')
  expect(account.html).toContain('value="ada.l"')
  expect(account.html).toContain('value="Ada"')
  expect(account.headers.get('cache-control')).toBe('no-store')
  const [row] = await pages.ctx.sql`select first_name, last_name, lang from app_user`
  expect(row).toEqual({ firstName: 'Ada', lastName: null, lang: 'de' })

  const wrong = await pages.visit('/account', { cookie, form: { ...form, username: '<b>' } })
  expect(wrong.status).toBe(400)
  expect(wrong.html).toContain('href="#field-username"')
  expect(wrong.html).toContain('value="&lt;b>"')
})

test('lets a verifier choose a public name, and take it back', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  const form = { username: 'ada', firstName: '', lastName: '', lang: 'en' }
  expect((await pages.visit('/account', { cookie })).html).not.toContain('name="publicName"')
  await pages.ctx.sql`update app_user set roles = '{verifier}', profile = '{"city": "Bako"}'`
  const profileOf = async () => (await pages.ctx.sql`select profile from app_user`)[0]?.profile
  const save = (publicName: string) =>
    pages.visit('/account', { cookie, form: { ...form, publicName } })
  expect((await save('Dr Selam')).status).toBe(303)
  expect(await profileOf()).toEqual({ city: 'Bako', publicName: 'Dr Selam' })
  expect((await pages.visit('/account', { cookie })).html).toContain('value="Dr Selam"')
  const refused = await save('x'.repeat(81))
  expect([refused.status, refused.html.includes('href="#field-publicName"')]).toEqual([400, true])
  await save('')
  expect(await profileOf()).toEqual({ city: 'Bako', publicName: null })
})

test('changes the password with the old one, and ends the other sessions', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  const other = cookieOf(await signInPage(pages, 'ada'))
  const change = (form: Record<string, string>) =>
    pages.visit('/account/password', {
      cookie,
      form: { password: PASSWORD, newPassword: 'quiet-river-43-stones', ...form },
    })
  const wrong = await change({ password: 'wrong' })
  expect(wrong.status).toBe(400)
  expect(wrong.html).toContain('The name or the password is wrong.')
  expect((await change({ newPassword: 'ada' })).html).toContain('id="field-newPassword-error"')
  expect(await change({})).toMatchObject({ status: 303, location: '/account?note=password' })
  expect((await pages.visit('/account', { cookie })).status).toBe(200)
  expect((await pages.visit('/account', { cookie: other })).status).toBe(303)
})

test('changes the mail address with the password and a code, and tells the old address', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  const [old, email] = ['ada@example.org', 'countess@example.org']
  const ask = (form: Record<string, string>) => pages.visit('/account/email', { cookie, form })
  expect((await pages.visit('/account', { cookie })).html).toContain('href="/account/email"')
  for (const form of [{ email }, { email, password: 'wrong' }]) {
    const refused = await ask(form)
    expect(refused.status).toBe(400)
    expect(refused.html).toContain(`value="${email}"`)
  }
  expect(await mailsTo(pages, email)).toEqual([])
  const same = await ask({ email: old, password: PASSWORD })
  expect([same.status, same.html.includes('already the address')]).toEqual([409, true])
  const asked = await ask({ email, password: PASSWORD })
  expect(asked.html).toContain('name="code"')
  const wrong = await ask({ email, code: '000000' })
  expect([wrong.status, wrong.html.includes('name="code"')]).toEqual([400, true])
  expect(wrong.html).toContain('This code is wrong')
  const changed = await ask({ email, code: (await codeFor(pages, email)) ?? '' })
  expect(changed).toMatchObject({ status: 303, location: '/account?note=email' })
  const account = await pages.visit('/account?note=email', { cookie })
  expect(account.html).toContain('Your email address is changed.')
  expect(account.html).toContain(email)
  expect((await mailsTo(pages, old))[0]).toBe('account_changed')
})

test('asks an account without a password for a new sign-in before its address changes', async () => {
  const clock = createFakeClock()
  const pages = await createTestPages({ clock })
  const cookie = cookieOf(await signOnPage(pages, '/sign-in/wallet', Wallet.createRandom()))
  clock.advance(10 * 60_000)
  const form = { email: 'eve@example.org' }
  const refused = await pages.visit('/account/email', { cookie, form })
  expect(refused.status).toBe(403)
  expect(refused.html).toContain('This needs a sign-in of the last ten minutes')
  expect(await mailsTo(pages, form.email)).toEqual([])
})

test('lists the sessions, ends one of them, and all', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko Firefox/145.0' }
  const other = cookieOf(
    await pages.visit('/sign-in', { headers, form: { name: 'ada', password: PASSWORD } }),
  )
  const { html } = await pages.visit('/account', { cookie })
  expect(html).toContain('Firefox, Linux')
  expect(html).toContain('This browser')
  const [, id] = /action="\/account\/sessions\/([^/]+)\/end"/.exec(html) ?? []
  const end = (session = '') =>
    pages.visit(`/account/sessions/${session}/end`, { cookie, form: {} })
  expect((await end(id)).location).toBe('/account?note=ended#sessions')
  expect((await pages.visit('/account', { cookie: other })).status).toBe(303)
  expect((await end('x')).status).toBe(404)

  const third = cookieOf(await signInPage(pages, 'ada'))
  const out = await pages.visit('/account/sign-out-everywhere', { cookie, form: {} })
  expect(out).toMatchObject({ status: 303, location: '/' })
  for (const ended of [cookie, third]) {
    expect((await pages.visit('/account', { cookie: ended })).status).toBe(303)
  }
})

test('links a wallet by its signature, and unlinks it', async () => {
  const { pages, key } = await setUp()
  const cookie = await signUpPage(pages, 'ada')
  const linked = await signOnPage(pages, '/account/wallets', key, { cookie })
  expect(linked).toMatchObject({ status: 303, location: '/account?note=linked#wallets' })
  const { html } = await pages.visit('/account?note=linked', { cookie })
  expect(html).toContain('The wallet is linked.')
  expect(html).toContain(key.address)
  const [, path = ''] = /action="(\/account\/wallets\/[^/]+\/unlink)"/.exec(html) ?? []

  const stranger = await signUpPage(pages, 'eve')
  const taken = await signOnPage(pages, '/account/wallets', key, { cookie: stranger })
  expect(taken.status).toBe(409)
  expect(taken.html).toContain('This wallet belongs to another account.')
  expect((await pages.visit(path, { cookie: stranger, form: {} })).status).toBe(404)

  expect((await pages.visit(path, { cookie, form: {} })).status).toBe(303)
  expect((await pages.visit('/account', { cookie })).html).toContain('No wallet is linked yet.')
})

test('asks for a new sign-in before it links a wallet, and leads back to the account', async () => {
  const clock = createFakeClock()
  const pages = await createTestPages({ clock })
  const key = Wallet.createRandom()
  const cookie = await signUpPage(pages, 'ada')
  expect((await pages.visit('/account', { cookie })).html).toContain('data-island="sign"')
  clock.advance(10 * 60_000)
  const old = await pages.visit('/account', { cookie })
  expect(old.html).toContain('This needs a sign-in of the last ten minutes. Sign in again.')
  expect(old.html).toContain('href="/sign-in?again&amp;to=/account"')
  expect(old.html).not.toContain('data-island="sign"')
  const refused = await signOnPage(pages, '/account/wallets', key, { cookie })
  expect(refused.status).toBe(403)
  expect(refused.html).toContain('This needs a sign-in of the last ten minutes')

  const form = await pages.visit('/sign-in?again&to=/account', { cookie })
  expect(form.status).toBe(200)
  expect(form.html).toContain('name="to" value="/account"')
  const again = await pages.visit('/sign-in', {
    cookie,
    form: { name: 'ada', password: PASSWORD, to: '/account' },
  })
  expect(again.location).toBe('/account')
  const linked = await signOnPage(pages, '/account/wallets', key, { cookie: cookieOf(again) })
  expect(linked).toMatchObject({ status: 303, location: '/account?note=linked#wallets' })
  expect((await pages.visit('/account', { cookie })).status).toBe(303)
})

test('keeps the only wallet of an account without an address', async () => {
  const { pages, key } = await setUp()
  const cookie = cookieOf(await signOnPage(pages, '/sign-in/wallet', key))
  const { html } = await pages.visit('/account', { cookie })
  const [, path = ''] = /action="(\/account\/wallets\/[^/]+\/unlink)"/.exec(html) ?? []
  const refused = await pages.visit(path, { cookie, form: {} })
  expect(refused.status).toBe(409)
  expect(refused.html).toContain('Your account needs this wallet to sign in')
})

test('gives a guest the donation by the wallet that paid', async () => {
  const { pages, key, pay, give } = await setUp()
  const { id } = await give('donation')
  await pay('donation')
  const cookie = cookieOf(await signOnPage(pages, '/sign-in/wallet', key))
  const { html } = await pages.visit('/account/donations', { cookie })
  expect(html).toContain('href="/c/clean-water"')
  expect(html).toContain('Clean water')
  expect(html).toMatch(new RegExp(`href="/d/${id}".*Credited`))
  expect(html).toContain('10.00\u00a0USDC')
})

test('gives a guest the donation by the claim link, after the sign-in', async () => {
  const { pages, give } = await setUp()
  const { id, claimToken } = await give('donation')
  const wrong = await pages.visit('/claim', { form: { token: 'x' } })
  expect(wrong.headers.get('cache-control')).toBe('no-store')
  expect(wrong.html).toContain('This is not a whole claim link.')
  const link = `https://give.example/claim#${claimToken} `
  const asked = await pages.visit('/claim', { form: { token: link } })
  expect(asked.location).toBe('/sign-in?to=%2Fclaim%2Fkept')
  expect(asked.headers.get('set-cookie')).toBe(
    `claim=${claimToken}; Path=/claim; HttpOnly; SameSite=Lax; Max-Age=3600`,
  )
  expect((await pages.visit('/sign-in?to=/claim/kept')).html).toContain(
    'the donation can become yours',
  )

  const cookie = `${await signUpPage(pages, 'ada')}; ${cookieOf(asked)}`
  const claimed = await pages.visit('/claim/kept', { cookie })
  expect(claimed).toMatchObject({ status: 303, location: `/account/donations?claimed=${id}` })
  expect(claimed.headers.get('set-cookie')).toMatch(/^claim=; Path=\/claim; .*Max-Age=0$/)
  const { html } = await pages.visit(claimed.location ?? '', { cookie })
  expect(html).toContain('The donation of 10\u00a0USDC is now in this account.')
  expect(html).toContain(`href="/d/${id}"`)
  const stranger = await signUpPage(pages, 'eve')
  const foreign = await pages.visit(claimed.location ?? '', { cookie: stranger })
  expect(foreign.html).not.toContain('is now in this account')

  const again = await pages.visit('/claim/kept', { cookie })
  expect(again.status).toBe(404)
  expect(again.html).toContain('This link is unknown, used or too old.')
  expect(again.html).toContain('the donation is already among your donations')
})

test('makes a payment without a donation the donation of the wallet that paid', async () => {
  const { pages, key, pay } = await setUp()
  const cookie = await signUpPage(pages, 'ada')
  const none = await pages.visit('/account/deposits', { cookie })
  expect(none.html).toContain('Link the wallet that you paid with.')
  await pay('donation')
  await signOnPage(pages, '/account/wallets', key, { cookie })
  const { html } = await pages.visit('/account/deposits', { cookie })
  expect(html).toContain('aria-label="Claim 10\u00a0USDC"')
  const [, path = ''] = /action="(\/account\/deposits\/[^/]+\/claim)"/.exec(html) ?? []

  const stranger = await signUpPage(pages, 'eve')
  const refused = await pages.visit(path, { cookie: stranger, form: {} })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('The signature does not belong to this wallet.')

  const claimed = await pages.visit(path, { cookie, form: {} })
  expect(claimed.status).toBe(303)
  expect(claimed.location).toMatch(/^\/d\/[0-9a-f-]{36}$/)
  const after = await pages.visit('/account/deposits', { cookie })
  expect(after.html).toContain('Every payment from your wallets belongs to a donation.')
})

test('gives back a payment that a stranger has claimed', async () => {
  const { pages, key, pay, give } = await setUp()
  const stranger = await pages.signIn()
  const { id } = await give('donation', stranger.token)
  await pay('donation')
  const cookie = cookieOf(await signOnPage(pages, '/sign-in/wallet', key))
  const open = await pages.visit('/account/deposits', { cookie })
  expect(open.html).toContain('href="/account/deposits/claimed"')
  const { html } = await pages.visit('/account/deposits/claimed', { cookie })
  expect(html).toContain(`href="/d/${id}"`)
  const [, path = ''] = /action="(\/account\/deposits\/[^/]+\/claim)"/.exec(html) ?? []
  const claimed = await pages.visit(path, { cookie, form: {} })
  expect(claimed.status).toBe(303)
  const own = await pages.visit('/account/deposits/claimed', { cookie })
  expect(own.html).toContain(`href="${claimed.location}"`)
  expect(own.html).not.toContain('/claim"')
})

test('shows notifications and marks them as read', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  expect((await pages.visit('/notifications', { cookie })).html).toContain(
    'There are no notifications yet.',
  )
  const [user] = await pages.ctx.sql<{ id: string }[]>`select id from app_user`
  await notify(pages.ctx, [
    {
      userId: user?.id ?? '',
      type: 'impact_verified',
      values: { campaign: 'Clean water' },
      data: { campaignId: '0190a1b2-0000-7000-8000-000000000000' },
    },
  ])
  const { html } = await pages.visit('/notifications', { cookie })
  expect(html).toContain('Clean water')
  expect(html).toContain('href="/c/0190a1b2-0000-7000-8000-000000000000"')
  const [, until = ''] = /name="until" value="([^"]+)"/.exec(html) ?? []
  const read = await pages.visit('/notifications/read', { cookie, form: { until } })
  expect(read).toMatchObject({ status: 303, location: '/notifications' })
  expect((await pages.visit('/notifications', { cookie })).html).not.toContain('Mark all as read')
})

test('ignores unknown parameters of lists, and refuses a broken cursor with a page', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  const list = await pages.visit('/account/donations?utm_source=mail&limit=x', { cookie })
  expect(list.html).toContain('You have not given yet.')
  const broken = await pages.visit('/account/donations?cursor=x', { cookie })
  expect(broken.status).toBe(400)
  expect(broken.html).toContain('<h1>')
})

test('leads an address of a form to the page with the form', async () => {
  const pages = await createTestPages()
  expect((await pages.visit('/account/password?lang=de')).location).toBe('/account?lang=de')
  expect((await pages.visit('/sign-in/wallet')).location).toBe('/sign-in')
})
