import { createHash } from 'node:crypto'
import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import {
  createAttempts,
  createPolicies,
  createRateLimiter,
} from '../../../src/domain/service/index.ts'
import { createWorld } from '../../support/world.ts'
import { codeFor, PASSWORD, register, verify } from '../http/support/account.ts'
import { cookieOf, signInPage, signOnPage, signUpPage } from './support/page-user.ts'
import { createTestPages, type TestPages } from './support/test-pages.ts'

const me = async (pages: TestPages, cookie: string) =>
  (await pages.visit('/account', { cookie })).status

test('signs in with a password, and then returns to the page of before', async () => {
  const pages = await createTestPages()
  await signUpPage(pages, 'ada')
  const form = await pages.visit('/sign-in?to=/c/wells/donate')
  expect(form.html).toContain('<input type="hidden" name="to" value="/c/wells/donate"/>')
  const entered = await signInPage(pages, 'Ada', { to: '/c/wells/donate' })
  expect(entered).toMatchObject({ status: 303, location: '/c/wells/donate' })
  expect(entered.headers.get('set-cookie')).toMatch(
    /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
  )
  const account = await pages.visit('/account', { cookie: cookieOf(entered) })
  expect(account.html).toContain('ada@example.org')
  const again = await pages.visit('/sign-in', { cookie: cookieOf(entered) })
  expect(again).toMatchObject({ status: 303, location: '/account' })
})

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  'sends no person to %s after the sign-in',
  async (to) => {
    const pages = await createTestPages()
    await signUpPage(pages, 'ada')
    expect((await signInPage(pages, 'ada', { to })).location).toBe('/account')
    const { html } = await pages.visit(`/sign-in?to=${encodeURIComponent(to)}`)
    expect(html).toContain('<input type="hidden" name="to" value="/account"/>')
  },
)

test('refuses wrong passwords and empty forms in words, and keeps the name', async () => {
  const pages = await createTestPages()
  await signUpPage(pages, 'ada')
  const wrong = await signInPage(pages, 'ada', { password: 'wrong' })
  expect(wrong.status).toBe(400)
  expect(wrong.html).toContain('The name or the password is wrong.')
  expect(wrong.html).toContain('value="ada"')
  expect(wrong.html).not.toContain('value="wrong"')
  expect(wrong.headers.get('set-cookie')).toBeNull()
  const empty = await pages.visit('/sign-in?lang=de', { form: {} })
  expect(empty.status).toBe(400)
  expect(empty.html).toContain('Geben Sie Ihr Passwort ein.')
  expect(empty.html).toContain('href="#field-name"')
})

test('takes forms of its own pages only', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    const out = await pages.visit('/sign-out', { cookie, form: {}, headers })
    expect(out.status).toBe(403)
    expect(out.html).toContain('<h1>')
  }
  expect(await me(pages, cookie)).toBe(200)
})

test('ends the session of before with a new sign-in, and each session with a sign-out', async () => {
  const pages = await createTestPages()
  const first = await signUpPage(pages, 'ada')
  const second = cookieOf(
    await pages.visit('/sign-in', { cookie: first, form: { name: 'ada', password: PASSWORD } }),
  )
  expect([await me(pages, first), await me(pages, second)]).toEqual([303, 200])
  const out = await pages.visit('/sign-out', { cookie: second, form: {} })
  expect(out).toMatchObject({ status: 303, location: '/' })
  expect(out.headers.get('set-cookie')).toMatch(/^session=; .*Max-Age=0$/)
  expect(await me(pages, second)).toBe(303)
})

test('gives no browser a session that a stranger chose', async () => {
  const pages = await createTestPages()
  await signUpPage(pages, 'ada')
  const chosen = `session=${'a'.repeat(43)}`
  const entered = await pages.visit('/sign-in', {
    cookie: chosen,
    form: { name: 'ada', password: PASSWORD },
  })
  expect(cookieOf(entered)).not.toBe(chosen)
  expect(await me(pages, chosen)).toBe(303)
})

test('registers an account in the language of the page, and confirms its address', async () => {
  const pages = await createTestPages()
  const form = { email: 'Ada@example.org', username: 'ada', newPassword: PASSWORD, to: '/claim' }
  const made = await pages.visit('/register?lang=fr', { form })
  expect(made).toMatchObject({ status: 303, location: '/verify?to=%2Fclaim' })
  const cookie = cookieOf(made)
  const verify = await pages.visit('/verify?to=/claim', { cookie })
  expect(verify.headers.get('cache-control')).toBe('no-store')
  expect(verify.html).toContain('Nous avons envoyé un code à ada@example.org.')
  expect(verify.html).toContain('href="/api/sandbox/mail?to=ada%40example.org"')
  // An account with an unconfirmed address can only read.
  expect((await pages.visit('/account', { cookie, form: {} })).location).toBe(
    '/verify?to=%2Faccount',
  )

  const code = (await codeFor(pages, 'ada@example.org')) ?? ''
  const wrong = await pages.visit('/verify', { cookie, form: { code: '000000', to: '/claim' } })
  expect(wrong.status).toBe(400)
  expect(wrong.html).toContain("Ce code est incorrect ou n'est plus valable.")
  const confirmed = await pages.visit('/verify', { cookie, form: { code, to: '/claim' } })
  expect(confirmed).toMatchObject({ status: 303, location: '/claim' })
  expect(await pages.visit('/verify', { cookie })).toMatchObject({ location: '/account' })
})

test('refuses taken names and easy passwords at their fields', async () => {
  const pages = await createTestPages()
  await register(pages, 'ada')
  const register2 = (form: Record<string, string>) =>
    pages.visit('/register', {
      form: { email: 'new@example.org', username: 'new', newPassword: PASSWORD, ...form },
    })
  const taken = await register2({ email: 'ada@example.org' })
  expect(taken.status).toBe(409)
  expect(taken.html).toContain('This email address already has an account.')
  expect((await register2({ username: 'ADA' })).html).toContain('This user name is taken.')
  const easy = await register2({ newPassword: 'password12' })
  expect(easy.status).toBe(400)
  expect(easy.html).toContain('id="field-newPassword-error"')
  expect(easy.html).not.toContain('password12')
  const wrong = await register2({ email: 'ada', username: 'a' })
  expect(wrong.html).toContain('href="#field-email"')
  expect(wrong.html).toContain('href="#field-username"')
})

test('sets a new password with a mailed code, and says the same of unknown addresses', async () => {
  const pages = await createTestPages()
  const cookie = await signUpPage(pages, 'ada')
  const email = 'ada@example.org'
  const known = await pages.visit('/reset', { form: { email } })
  const unknown = await pages.visit('/reset', { form: { email: 'eva@example.org' } })
  expect(known.status).toBe(200)
  expect(unknown.html.replaceAll('eva@', 'ada@').replaceAll('eva%', 'ada%')).toBe(known.html)
  const code = (await codeFor(pages, email)) ?? ''
  const reset = (form: Record<string, string>) =>
    pages.visit('/reset/password', { form: { email, code, newPassword: PASSWORD, ...form } })
  expect((await reset({ code: '12' })).html).toContain('Enter the six digits of the code.')
  expect((await reset({ newPassword: 'short' })).html).toContain('id="field-newPassword-error"')
  const done = await reset({ newPassword: 'quiet-river-43-stones' })
  expect(done).toMatchObject({ status: 303, location: '/sign-in?note=password' })
  expect((await pages.visit('/sign-in?note=password')).html).toContain('Your password is changed.')
  expect(await me(pages, cookie)).toBe(303)
  expect((await signInPage(pages, 'ada')).status).toBe(400)
  expect((await signInPage(pages, 'ada', { password: 'quiet-river-43-stones' })).status).toBe(303)
})

test('signs in with a wallet, and makes an account for a new one', async () => {
  const pages = await createTestPages()
  const key = Wallet.createRandom()
  const entered = await signOnPage(pages, '/sign-in/wallet', key, {
    to: '/account/donations',
    cookie: 'lang=de',
  })
  expect(entered).toMatchObject({ status: 303, location: '/account/donations' })
  const account = await pages.visit('/account', { cookie: cookieOf(entered) })
  // The account gets the language of the page that created it.
  expect(account.html).toContain('Keine: Sie melden sich mit Ihrer Wallet an.')
  expect(account.html).toContain(key.address)

  const forged = {
    ...key,
    address: key.address,
    signMessage: () => Wallet.createRandom().signMessage('x'),
  }
  const refused = await signOnPage(pages, '/sign-in/wallet', forged)
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('The signature does not belong to this wallet.')
  const old = await pages.visit('/sign-in/wallet', {
    form: { nonce: '0'.repeat(32), signature: '0x12' },
  })
  expect(old.html).toContain('The signed message is too old or was used before.')
})

test('limits wrong passwords and codes as the API does', async () => {
  const { sql, clock, log } = (await createWorld()).ctx
  const hash = (id: string) => createHash('sha256').update(id).digest('hex')
  const pages = await createTestPages({
    deps: {
      rateLimits: {
        limiter: createRateLimiter({ sql, clock, log, hash }),
        attempts: createAttempts({ sql, clock, hash }),
        policies: createPolicies({ anonymous: 0, user: 0, login: 3 }),
        trustedProxies: 0,
      },
    },
  })
  await register(pages, 'ada')
  await verify(pages, 'ada@example.org', await codeFor(pages, 'ada@example.org'))
  for (let i = 0; i < 3; i++) {
    expect((await signInPage(pages, 'ada', { password: 'wrong' })).status).toBe(400)
  }
  const stopped = await signInPage(pages, 'ada')
  expect(stopped.status).toBe(429)
  expect(stopped.html).toContain('Too many wrong attempts')
  expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
  const api = await pages.ask('POST', '/api/auth/login', {
    body: { username: 'ada', password: PASSWORD },
  })
  expect(api.status).toBe(429)
})

test('limits new accounts and the passwords of both names as the API does', async () => {
  const { sql, clock, log } = (await createWorld()).ctx
  const hash = (id: string) => createHash('sha256').update(id).digest('hex')
  const pages = await createTestPages({
    deps: {
      rateLimits: {
        limiter: createRateLimiter({ sql, clock, log, hash }),
        attempts: createAttempts({ sql, clock, hash }),
        policies: createPolicies({ anonymous: 0, user: 0, login: 1 }),
        trustedProxies: 0,
      },
    },
  })
  const registerPage = (name: string) =>
    pages.visit('/register', {
      form: { email: `${name}@example.org`, username: name, newPassword: PASSWORD },
    })
  for (const name of ['ada', 'grace', 'mary']) expect((await registerPage(name)).status).toBe(303)
  expect((await signOnPage(pages, '/sign-in/wallet', Wallet.createRandom())).status).toBe(303)
  for (const refused of [
    await registerPage('joan'),
    await signOnPage(pages, '/sign-in/wallet', Wallet.createRandom()),
  ]) {
    expect(refused.status).toBe(429)
    expect(refused.html).toContain('new accounts from your network')
  }
  expect((await signInPage(pages, 'ada', { password: 'wrong' })).status).toBe(400)
  const byMail = await signInPage(pages, 'ada@example.org')
  expect(byMail.status).toBe(400)
  expect(byMail.html).toContain('The name or the password is wrong.')
})

test('writes no token, password or code into the log', async () => {
  const lines: string[] = []
  const { log } = (await createWorld()).ctx
  const heard = (...args: unknown[]) => void lines.push(JSON.stringify(args))
  const noisy = Object.assign(Object.create(log) as typeof log, {
    info: heard,
    warn: heard,
    error: heard,
    debug: heard,
    isLevelEnabled: () => true,
    child: () => noisy,
  })
  const pages = await createTestPages({ deps: { log: noisy } })
  const cookie = await signUpPage(pages, 'ada')
  await pages.visit('/account', { cookie })
  await pages.visit('/sign-in', { cookie, form: { name: 'ada', password: 'wrong-password' } })
  await pages.visit('/sign-out', { cookie, form: {} })
  expect(lines.join('\n')).toContain('"path":"/sign-out"'.replace('path', 'route'))
  for (const secret of [cookie.split('=')[1] ?? '', PASSWORD, 'wrong-password']) {
    expect(lines.join('\n')).not.toContain(secret)
  }
})
