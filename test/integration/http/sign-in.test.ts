import { expect, test } from 'vitest'
import { createCredentials } from '../../../src/auth/credentials.ts'
import { createSecretBox } from '../../../src/kernel/ports/secrets.ts'
import { codeFor, login, PASSWORD, register, tokensOf, verify } from './support/account.ts'
import { createClockedApi, createTestApi, refusal } from './support/api.ts'

const MINUTE = 60_000

const wrong = (code: string | undefined) => (code === '000000' ? '000001' : '000000')

test('registers, verifies the mailed code, signs in and says who is signed in', async () => {
  const api = await createTestApi()
  const registered = await register(api, 'Ada', {
    email: ' Ada@Example.org',
    firstName: 'Ada',
    lastName: 'L',
    lang: 'pt-BR',
    profile: { team: 'wells', size: 3, nested: { a: [1, 2.5] } },
  })
  expect(registered.status).toBe(201)
  const verified = await verify(api, 'ada@example.org', await codeFor(api, 'ada@example.org'))
  expect(verified).toMatchObject({ status: 200, body: { success: true } })
  const events = await api.ctx.sql<
    { type: string; body: string }[]
  >`select type, event.body from event`
  expect(events.map(({ type }) => type)).toEqual(['user.verified'])
  expect(events[0]?.body).toContain(String(registered.body.userId))

  const signedIn = await login(api, 'ADA')
  expect(signedIn.body).toMatchObject({
    success: true,
    user: { id: registered.body.userId, email: 'ada@example.org', username: 'Ada' },
    tokens: { expires: 900 },
  })
  const me = await api.ask('GET', '/api/auth/me', { token: tokensOf(signedIn.body).accessToken })
  expect(me.body).toMatchObject({
    id: registered.body.userId,
    firstName: 'Ada',
    lang: 'pt-BR',
    profile: { team: 'wells', size: 3, nested: { a: [1, 2.5] } },
    roles: [],
    emailVerified: true,
  })
  expect((await login(api, 'Ada@example.ORG')).status).toBe(200)
})

test('gives an address and a user name to one account only, without regard to case', async () => {
  const api = await createTestApi()
  expect((await register(api, 'ada')).status).toBe(201)
  const email = await register(api, 'grace', { email: 'ADA@example.org' })
  expect(email).toMatchObject(refusal(409, 'email_taken'))
  const username = await register(api, 'ADA', { email: 'other@example.org' })
  expect(username).toMatchObject(refusal(409, 'username_taken'))
  const racing = await Promise.all(Array.from({ length: 6 }, () => register(api, 'eve')))
  expect(racing.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
})

test('refuses weak passwords, wrong addresses, names with "@" and immodest profiles', async () => {
  const api = await createTestApi()
  const refusedPath = async (changes: Record<string, unknown>) => {
    const { status, body } = await register(api, 'ada', changes)
    expect(status).toBe(400)
    return (body as { details: { path: string }[] }).details[0]?.path
  }
  for (const password of [
    'short',
    'password123',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    'x1'.repeat(70),
  ]) {
    expect(await refusedPath({ password })).toBe('password')
  }
  expect(await refusedPath({ password: 'adalovelace1', username: 'adalovelace' })).toBe('password')
  for (const email of ['ada', 'ada@', '@example.org', 'a b@example.org', 7]) {
    expect(await refusedPath({ email })).toBe('email')
  }
  for (const username of ['a', 'ada@example.org', 'ada lovelace', 'é'.repeat(5), 'a'.repeat(33)]) {
    expect(await refusedPath({ username })).toBe('username')
  }
  expect(await refusedPath({ profile: { a: 'x'.repeat(5_000) } })).toBe('profile')
  expect(await refusedPath({ profile: [] })).toBe('profile')
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`)
  expect(await refusedPath({ profile: deep })).toBe('profile')
})

test('lets the fifth try be the right one, and a code work once', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const email = 'ada@example.org'
  const code = await codeFor(api, email)
  for (let i = 0; i < 4; i++) await verify(api, email, wrong(code))
  expect((await verify(api, email, code)).status).toBe(200)
  expect((await verify(api, email, code)).status).toBe(400)
})

test('sends a good code again, a minute later at the earliest, and a new one beside an old one', async () => {
  const { api, clock } = await createClockedApi()
  await register(api, 'ada')
  const email = 'ada@example.org'
  const sent = async () => {
    const { body } = await api.ask('GET', `/api/sandbox/mail?to=${email}`)
    return (body.mail as { text: string }[]).map(({ text }) => text.match(/\b\d{1,6}\b/g))
  }
  const first = await codeFor(api, email)
  await verify(api, email)
  expect(await sent()).toEqual([[first, '10']])
  await verify(api, email, wrong(first))
  clock.advance(4 * MINUTE)
  await verify(api, email)
  expect(await sent()).toEqual([
    [first, '6'],
    [first, '10'],
  ])
  const rows = await api.ctx.sql<{ tries: number }[]>`
    select attempts_left as tries from email_code where used_at is null`
  expect(rows).toEqual([{ tries: 9 }])
  clock.advance(2 * MINUTE)
  await verify(api, email)
  const second = await codeFor(api, email)
  expect(second).not.toBe(first)
  // The first code still works. After that, neither code works.
  expect((await verify(api, email, first)).status).toBe(200)
  expect((await verify(api, email, second)).status).toBe(400)
})

test('ends a code after ten minutes, each at its own time', async () => {
  const { api, clock } = await createClockedApi()
  await register(api, 'ada')
  const email = 'ada@example.org'
  const first = await codeFor(api, email)
  clock.advance(6 * MINUTE)
  await verify(api, email)
  const second = await codeFor(api, email)
  clock.advance(4 * MINUTE)
  expect((await verify(api, email, first)).status).toBe(400)
  expect((await verify(api, email, second)).status).toBe(200)
})

test('mails a code after a clock that was 80 hours ahead was set back', async () => {
  const { api, clock } = await createClockedApi()
  clock.advance(80 * 60 * MINUTE)
  await register(api, 'ada')
  clock.advance(-80 * 60 * MINUTE)
  await verify(api, 'ada@example.org')
  expect(await api.ctx.sql`select count(*) as sent from email_code`).toEqual([{ sent: 2 }])
})

test('mails ten codes a day, and then one an hour, which lasts as long', async () => {
  const { api, clock } = await createClockedApi()
  await register(api, 'ada')
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++) {
      clock.advance(2 * MINUTE)
      await verify(api, 'ada@example.org')
    }
    const [row] = await api.ctx.sql<{ sent: number }[]>`select count(*) as sent from email_code`
    return row?.sent
  }
  expect(await ask(9)).toBe(10)
  expect(await ask(6)).toBe(11)
  expect(await ask(25)).toBe(11)
  expect(await ask(6)).toBe(12)
  const code = await codeFor(api, 'ada@example.org')
  expect((await verify(api, 'ada@example.org', code)).status).toBe(200)
})

test('stores no password, code, refresh token or signing key that could be read back', async () => {
  const credentials = createCredentials(createSecretBox('a secret that only this test knows'))
  const api = await createTestApi({ deps: { credentials } })
  await register(api, 'ada')
  const code = await codeFor(api, 'ada@example.org')
  const { refreshToken } = tokensOf((await login(api, 'ada')).body)
  const [row] = await api.ctx.sql<{ stored: string }[]>`
    select concat((select string_agg(app_user::text, '') from app_user),
                  (select string_agg(email_code::text, '') from email_code),
                  (select string_agg(mail::text, '') from mail),
                  (select string_agg(refresh_token::text, '') from refresh_token),
                  (select string_agg(signing_key::text, '') from signing_key)) as stored`
  expect(row?.stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  for (const secret of [PASSWORD, `,${code},`, refreshToken, '"d"']) {
    expect(row?.stored).not.toContain(secret)
  }
})

test('shows printed mail in the sandbox only', async () => {
  for (const settings of [{ environment: 'production' as const }, { mailIsPrinted: false }]) {
    const api = await createTestApi({ settings })
    const answer = await api.ask('GET', '/api/sandbox/mail?to=ada@example.org')
    expect(answer).toMatchObject(refusal(404, 'route_not_found'))
  }
})
