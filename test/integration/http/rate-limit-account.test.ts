import { expect, test } from 'vitest'
import { PASSWORD } from './support/account.ts'
import { withAccount } from './support/limited-api.ts'

const MAIL = 'ada@example.org'

/** An API with a limit of four wrong passwords. */
const setUp = () => withAccount({ limits: { anonymous: 0, user: 0, login: 4 } })

const registerAs = (api: Awaited<ReturnType<typeof setUp>>, name: string) =>
  api.ask('POST', '/api/auth/register', {
    body: { email: `${name}@example.org`, username: name, password: PASSWORD },
  })

test('an account has one allowance of wrong passwords, whether the mail address or the user name is given', async () => {
  const api = await setUp()
  for (const name of ['ada', MAIL, 'ADA', ` ${MAIL.toUpperCase()} `]) {
    expect((await api.attempt(name, '192.0.2.1', 'wrong')).status).toBe(401)
  }
  // Each name was wrong only twice, but the account has reached the limit for this network.
  expect((await api.attempt('ada', '192.0.2.1')).status).toBe(401)
  expect((await api.attempt(MAIL, '192.0.2.1')).status).toBe(401)
  expect((await api.attempt('ada', '198.51.100.1')).status).toBe(200)
  api.clock.advance(15 * 60_000)
  expect((await api.attempt(MAIL, '192.0.2.1')).status).toBe(200)
})

test('all networks together have one allowance for an account, whichever name they give', async () => {
  const api = await setUp()
  for (let i = 0; i < 20; i++) {
    await api.attempt('ada', `203.0.113.${i}`, 'wrong')
    await api.attempt(MAIL, `198.51.100.${i}`, 'wrong')
  }
  expect((await api.attempt('ada', '192.0.2.1')).status).toBe(401)
  expect((await api.attempt(MAIL, '192.0.2.1')).status).toBe(401)
  api.clock.advance(15 * 60_000)
  expect((await api.attempt('ada', '192.0.2.1')).status).toBe(200)
})

test('a right password is refused by 429 and not as wrong if only one name was used, at any time', async () => {
  const api = await setUp()
  // The limits of the name and of the account must end together, also at the end of a window.
  for (const minutes of [0, 14, 15, 29, 40]) {
    api.clock.advance(minutes * 60_000)
    const found = await api.statusesOf(5, 'ada', '192.0.2.1', 'wrong')
    expect(found.at(-1)).toBe(429)
    const refused = await api.attempt('ada', '192.0.2.1')
    expect(refused.status).toBe(429)
    api.clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await api.attempt('ada', '192.0.2.1')).status).toBe(200)
  }
})

test('answers and headers do not show which names belong to one account, or to none', async () => {
  const api = await setUp()
  await registerAs(api, 'grace')
  /** Everything that a stranger sees of attempts with two names in turn. */
  const seen = async (first: string, second: string, from: string) => {
    const answers: unknown[] = []
    for (const name of [first, first, second, first, second, first, first, second, second]) {
      const answer = await api.attempt(name, from, 'wrong')
      const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>
      const headers = ['ratelimit', 'ratelimit-policy', 'retry-after']
      answers.push([answer.status, body, headers.map((header) => answer.headers.get(header))])
    }
    return answers
  }
  const ofOne = await seen('ada', MAIL, '192.0.2.1')
  expect(await seen('ada', 'grace@example.org', '192.0.2.2')).toEqual(ofOne)
  expect(await seen('none', 'none@example.org', '192.0.2.3')).toEqual(ofOne)
})

test('a sign-in with the id of an account as its name does not count for the account', async () => {
  const api = await setUp()
  const [row] = await api.ctx.sql<{ id: string }[]>`select id from app_user`
  const names = [row?.id ?? '', `account ${row?.id}`]
  for (const name of names) await api.statusesOf(5, name, '192.0.2.1', 'wrong')
  expect((await api.attempt('ada', '192.0.2.1')).status).toBe(200)
})

test('a session and the sign-in share the allowance, and the session sees that', async () => {
  const api = await setUp()
  await api.ctx.sql`update app_user set email_verified_at = now()`
  const signedIn = await api.attempt('ada', '198.51.100.1')
  const { tokens } = (await signedIn.json()) as { tokens: { accessToken: string } }
  const change = (password: string) =>
    api.ask('POST', '/api/auth/password', {
      token: tokens.accessToken,
      body: { password, newPassword: `${PASSWORD}-2` },
    })
  expect(await api.statusesOf(2, 'ada', '192.0.2.1', 'wrong')).toEqual([401, 401])
  expect([(await change('wrong')).status, (await change('wrong')).status]).toEqual([401, 401])
  expect((await change(PASSWORD)).status).toBe(429)
  expect((await api.attempt('ada', '192.0.2.1')).status).toBe(401)
})

test('right passwords for both names at once use up nothing', async () => {
  const api = await setUp()
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, index) => api.attempt(index % 2 ? 'ada' : MAIL, '192.0.2.1')),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await api.statusesOf(4, 'ada', '192.0.2.1')).toEqual([200, 200, 200, 200])
})

test('the guesses of one IPv6 /48 at any accounts count together', async () => {
  const api = await setUp()
  const found: number[] = []
  for (let at = 0; at < 41; at++) {
    const from = `2001:db8:1:${at.toString(16)}::1`
    found.push((await api.attempt(`other-${at}`, from, 'wrong')).status)
  }
  expect(found.indexOf(429)).toBe(40)
  expect((await api.attempt('other-else', '2001:db8:2::1', 'wrong')).status).toBe(401)
})
