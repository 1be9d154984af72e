import { expect, test } from 'vitest'
import {
  codeFor,
  login,
  mailsTo,
  PASSWORD,
  register,
  signUp,
  verify,
  wrongCode,
} from './support/account.ts'
import { createClockedApi, createTestApi, makeKey, refusal, type TestApi } from './support/api.ts'

const NEW_PASSWORD = 'loud-mountain-17-birds'
const NEW = 'countess@example.net'

const change = (api: TestApi, token: string, body: unknown) =>
  api.ask('POST', '/api/auth/email', { token, body })

const askFor = async (api: TestApi, token: string, email: string) => {
  expect((await change(api, token, { email, password: PASSWORD })).status).toBe(200)
  return codeFor(api, email)
}

const emailOf = async (api: TestApi, token: string) =>
  (await api.ask('GET', '/api/auth/me', { token })).body.email

const reset = (api: TestApi, body: unknown) => api.ask('POST', '/api/auth/reset-password', { body })

test('changes the address with the password and a code from the new one, and tells the old one', async () => {
  const api = await createTestApi()
  const { email, token } = await signUp(api, 'ada')
  const code = await askFor(api, token, ' Countess@Example.net ')
  expect(await codeFor(api, NEW)).toBe(code)
  expect(await emailOf(api, token)).toBe(email)
  const changed = await change(api, token, { email: NEW, code })
  expect(changed).toMatchObject({ status: 200, body: { success: true } })
  const me = await api.ask('GET', '/api/auth/me', { token })
  expect(me.body).toMatchObject({ email: NEW, emailVerified: true, username: 'ada' })
  expect((await login(api, email)).status).toBe(401)
  expect((await login(api, NEW)).status).toBe(200)
  expect(await mailsTo(api, NEW)).toEqual(['change_email'])
  expect((await mailsTo(api, email))[0]).toBe('account_changed')
  const { body } = await api.ask('GET', `/api/sandbox/mail?to=${email}`)
  expect(JSON.stringify(body.mail)).not.toContain(NEW)
  // After the change, another account can register with the old address.
  expect((await register(api, 'grace', { email })).status).toBe(201)
})

test('takes a code once, for its address, its account and its purpose only, and for ten minutes', async () => {
  const { api, clock } = await createClockedApi()
  const ada = await signUp(api, 'ada')
  const eve = await signUp(api, 'eve')
  const code = await askFor(api, ada.token, NEW)
  const refused = { status: 400, body: { code: 'invalid_code' } }
  const attempts = [
    [ada.token, { email: 'other@example.net', code }],
    [eve.token, { email: NEW, code }],
    [ada.token, { email: NEW, code: wrongCode(code) }],
  ] as const
  for (const [token, body] of attempts)
    expect(await change(api, token, body)).toMatchObject(refused)
  expect(await verify(api, NEW, code)).toMatchObject(refused)
  const password = NEW_PASSWORD
  for (const email of [NEW, ada.email]) {
    expect(await reset(api, { email, code, password })).toMatchObject(refused)
  }
  // A code for another purpose does not change the address.
  await reset(api, { email: ada.email })
  const forReset = await codeFor(api, ada.email)
  expect(await change(api, ada.token, { email: ada.email, code: forReset })).toMatchObject(refused)
  expect((await change(api, ada.token, { email: NEW, code })).status).toBe(200)
  expect(await change(api, ada.token, { email: NEW, code })).toMatchObject(refused)

  clock.advance(61_000)
  const late = await askFor(api, ada.token, 'third@example.net')
  clock.advance(10 * 60_000)
  const body = { username: 'ada', password: PASSWORD }
  const fresh = (await api.ask('POST', '/api/auth/login', { body })).body.tokens
  const { accessToken: token } = fresh as { accessToken: string }
  const answer = await change(api, token, { email: 'third@example.net', code: late })
  expect(answer).toMatchObject(refused)
  expect(await emailOf(api, token)).toBe(NEW)
})

test('stops the guessing of a code after ten tries, all at once or one by one', async () => {
  const api = await createTestApi()
  for (const [name, atOnce] of [
    ['ada', true],
    ['grace', false],
  ] as const) {
    const { token } = await signUp(api, name)
    const email = `${name}@example.net`
    const code = await askFor(api, token, email)
    const guess = () => change(api, token, { email, code: wrongCode(code) })
    if (atOnce) await Promise.all(Array.from({ length: 12 }, guess))
    else for (let time = 0; time < 10; time++) await guess()
    expect((await change(api, token, { email, code })).status).toBe(400)
  }
})

test('never says that an address is taken, except to the person who reads its mail', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, 'ada')
  const eve = await signUp(api, 'eve')
  await register(api, 'unverified')
  const [free, taken, squatted] = [
    await change(api, token, { email: NEW, password: PASSWORD }),
    await change(api, eve.token, { email: 'ada@example.org', password: PASSWORD }),
    await change(api, (await signUp(api, 'mallory')).token, {
      email: 'unverified@example.org',
      password: PASSWORD,
    }),
  ]
  expect([taken.text, squatted.text]).toEqual([free.text, free.text])
  expect([taken.status, squatted.status, free.status]).toEqual([200, 200, 200])
  expect((await mailsTo(api, 'ada@example.org'))[0]).toBe('email_taken')
  expect((await mailsTo(api, 'unverified@example.org'))[0]).toBe('email_taken')
  const guess = (email: string) => change(api, eve.token, { email, code: '000000' })
  const said = [await guess('ada@example.org'), await guess('free@example.net')].map(
    ({ status, body: { requestId: _, ...rest } }) => JSON.stringify([status, rest]),
  )
  expect(new Set(said).size).toBe(1)
  const own = await change(api, token, { email: 'ada@example.org', password: PASSWORD })
  expect(own).toMatchObject(refusal(409, 'conflict'))
})

test('gives an address to one of two accounts that change to it, or to the one that registers with it', async () => {
  const api = await createTestApi()
  const users = [await signUp(api, 'ada'), await signUp(api, 'grace')]
  const asked: { token: string; code: string | undefined }[] = []
  for (const { token } of users) asked.push({ token, code: await askFor(api, token, NEW) })
  expect(asked[0]?.code).not.toBe(asked[1]?.code)
  const raced = await Promise.all(
    asked.map(({ token, code }) => change(api, token, { email: NEW, code })),
  )
  expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const loser = raced.findIndex(({ status }) => status === 409)
  expect(raced[loser]?.body.code).toBe('email_taken')
  const { token = '', email = '' } = users[loser] ?? {}
  expect(await emailOf(api, token)).toBe(email)

  const third = await signUp(api, 'third')
  const code = await askFor(api, third.token, 'new@example.net')
  const [registered, changed] = await Promise.all([
    register(api, 'fourth', { email: 'new@example.net' }),
    change(api, third.token, { email: 'new@example.net', code }),
  ])
  const won = [registered.status === 201, changed.status === 200]
  expect(won.toSorted()).toEqual([false, true])
  expect((won[0] ? changed : registered).body.code).toBe('email_taken')
})

test('makes worthless what was mailed to the old address', async () => {
  const api = await createTestApi()
  const { email, token } = await signUp(api, 'ada')
  await reset(api, { email })
  const old = await codeFor(api, email)
  const code = await askFor(api, token, NEW)
  expect((await change(api, token, { email: NEW, code })).status).toBe(200)
  for (const address of [email, NEW]) {
    const answer = await reset(api, { email: address, code: old, password: NEW_PASSWORD })
    expect(answer).toMatchObject(refusal(400, 'invalid_code'))
  }
  expect((await login(api, NEW)).status).toBe(200)
})

test('changes no address without the password, for a key, an unverified account or an ended session', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, 'ada')
  const wrong = await change(api, token, { email: NEW, password: 'not her password' })
  expect(wrong).toMatchObject(refusal(401, 'invalid_credentials'))
  for (const body of [
    { email: NEW },
    { email: NEW, password: PASSWORD, code: '123456' },
    { email: 'no address', password: PASSWORD },
    { password: PASSWORD },
    { email: NEW, code: '12345' },
  ]) {
    expect((await change(api, token, body)).status).toBe(400)
  }
  const apiKey = await makeKey(api, token, ['read'])
  const body = { email: NEW, password: PASSWORD }
  expect((await api.ask('POST', '/api/auth/email', { apiKey, body })).status).toBe(403)
  expect((await api.ask('POST', '/api/auth/email', { body })).status).toBe(401)
  const { token: early } = await api.signIn({ verified: false })
  expect((await change(api, early, body)).body.code).toBe('email_unverified')
  expect(await mailsTo(api, NEW)).toEqual([])
  const code = await askFor(api, token, NEW)
  // Ends the session in the database, as another process would.
  await api.ctx.sql`update session set revoked_at = now()`
  expect(await change(api, token, { email: NEW, code })).toMatchObject(
    refusal(401, 'invalid_token'),
  )
  expect((await login(api, 'ada@example.org')).status).toBe(200)
})

test('mails an address twenty times a day at most, whichever accounts ask for it', async () => {
  const { api, clock } = await createClockedApi()
  const mails = async () => {
    const [row] = await api.ctx.sql<{ count: number }[]>`
      select count(*)::int as count from mail where to_address = ${NEW}`
    return row?.count
  }
  for (const name of ['one', 'two', 'three']) {
    const { token } = await signUp(api, name)
    for (let minute = 0; minute < 12; minute++) {
      expect((await change(api, token, { email: NEW, password: PASSWORD })).status).toBe(200)
      // The second request within a minute sends no mail.
      if (minute === 0) await change(api, token, { email: NEW, password: PASSWORD })
      clock.advance(61_000)
    }
  }
  expect(await mails()).toBe(20)
  clock.advance(24 * 3_600_000)
  const { token } = await signUp(api, 'four')
  await change(api, token, { email: NEW, password: PASSWORD })
  expect(await mails()).toBe(21)
})
