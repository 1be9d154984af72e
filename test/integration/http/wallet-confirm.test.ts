import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { codeFor, login, mailsTo, PASSWORD, signUp, tokensOf } from './support/account.ts'
import { createClockedApi, type TestApi } from './support/api.ts'
import { withAccount } from './support/limited-api.ts'

const NEW_PASSWORD = 'loud-mountain-17-birds'
const HOOK = 'http://127.0.0.1:3999/hook'
const TEN_MINUTES = 10 * 60_000

type Signer = Pick<Wallet, 'address' | 'signMessage'>
type Api = Pick<TestApi, 'ask'>

/** Makes a signed request body that links a wallet, with additional fields. */
const signed = async (api: Api, token: string, key: Signer, more: object = {}) => {
  const asked = { token, body: { address: key.address } }
  const { body } = await api.ask('POST', '/api/auth/wallets/challenge', asked)
  const { nonce, message } = body.challenge as { nonce: string; message: string }
  return { nonce, signature: await key.signMessage(message), ...more }
}

const link = async (api: Api, token: string, key: Signer, more: object = {}) =>
  api.ask('POST', '/api/auth/wallets', { token, body: await signed(api, token, key, more) })

const signInWith = async (api: Api, key: Signer) => {
  const { body } = await api.ask('POST', '/api/auth/wallets/sign-in/challenge', {
    body: { address: key.address },
  })
  const { nonce, message } = body.challenge as { nonce: string; message: string }
  const signature = await key.signMessage(message)
  return api.ask('POST', '/api/auth/wallets/sign-in', { body: { nonce, signature } })
}

const newestMail = async (api: Api, email: string) => {
  const { body } = await api.ask('GET', `/api/sandbox/mail?to=${encodeURIComponent(email)}`)
  return (body.mail as { template: string; text: string }[])[0]
}

/**
 * An account that signed in ten minutes ago. Its access token and refresh token are still valid.
 */
const signedInBefore = async () => {
  const { api, clock } = await createClockedApi()
  const user = await signUp(api, 'ada')
  clock.advance(TEN_MINUTES)
  return { api, clock, ...user }
}

test('links a wallet without the password only within ten minutes of the sign-in, not of a refresh', async () => {
  const { api, clock, refreshToken, ...user } = await signedInBefore()
  const refused = { status: 403, body: { code: 'sign_in_again' } }
  const key = Wallet.createRandom()
  expect(await link(api, user.token, key)).toMatchObject(refused)
  const refreshed = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })
  expect(await link(api, tokensOf(refreshed.body).accessToken, key)).toMatchObject(refused)
  expect((await signInWith(api, key)).status).toBe(201)
  const { accessToken } = tokensOf((await login(api, 'ada')).body)
  clock.advance(TEN_MINUTES - 1_000)
  expect((await link(api, accessToken, Wallet.createRandom())).status).toBe(201)
})

test('links a wallet with the password at any time, and the same signature serves again after a refusal', async () => {
  const { api, token } = await signedInBefore()
  const body = await signed(api, token, Wallet.createRandom())
  const ask = (more: object) =>
    api.ask('POST', '/api/auth/wallets', { token, body: { ...body, ...more } })
  expect((await ask({})).status).toBe(403)
  expect(await ask({ password: 'not hers' })).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  expect((await ask({ password: PASSWORD })).status).toBe(201)
})

test('mails the owner each time that a wallet is linked', async () => {
  const { api, token, email } = await signedInBefore()
  const key = Wallet.createRandom()
  const before = await mailsTo(api, email)
  for (const status of [201, 200]) {
    expect((await link(api, token, key, { password: PASSWORD })).status).toBe(status)
    const mail = await newestMail(api, email)
    expect(mail?.template).toBe('account_changed')
    expect(mail?.text).toContain(`\n    ${key.address}\n`)
  }
  expect(await mailsTo(api, email)).toHaveLength(before.length + 2)
})

test('counts wrong passwords for a link with failed sign-ins', async () => {
  const api = await withAccount({ limits: { anonymous: 0, user: 0, login: 2 } })
  await api.ctx.sql`update app_user set email_verified_at = now()`
  const { tokens } = (await (await api.attempt('ada', '198.51.100.1')).json()) as {
    tokens: { accessToken: string }
  }
  const token = tokens.accessToken
  const key = Wallet.createRandom()
  const challenged = await api.ask('POST', '/api/auth/wallets/challenge', {
    token,
    body: { address: key.address },
  })
  const { challenge } = (await challenged.json()) as {
    challenge: { nonce: string; message: string }
  }
  const { nonce, message } = challenge
  const signature = await key.signMessage(message)
  const guess = async (password: string) => {
    const asked = { token, body: { nonce, signature, password } }
    return (await api.ask('POST', '/api/auth/wallets', asked)).status
  }
  expect([await guess('wrong 1'), await guess('wrong 2'), await guess(PASSWORD)]).toEqual([
    401, 401, 429,
  ])
})

test('lists the wallets and webhooks of the account in the mail about a new password', async () => {
  const { api, token, email } = await signedInBefore()
  const key = Wallet.createRandom()
  await link(api, token, key, { password: PASSWORD })
  await api.ask('POST', '/api/webhooks', { token, body: { url: HOOK } })
  const body = { password: PASSWORD, newPassword: NEW_PASSWORD }
  expect((await api.ask('POST', '/api/auth/password', { token, body })).status).toBe(200)
  const mail = await newestMail(api, email)
  expect(mail?.text).toContain(`\n    ${key.address}\n`)
  expect(mail?.text).toContain(`\n    ${HOOK}\n`)
  expect(mail?.text).toContain('continue to work')
  expect((await signInWith(api, key)).status).toBe(200)
})

test.each(['password', 'email'] as const)(
  'a change of the %s with endAccess ends what a stranger may have added: wallets, keys, webhooks and sessions',
  async (changed) => {
    const { api, token, email } = await signedInBefore()
    const key = Wallet.createRandom()
    await link(api, token, key, { password: PASSWORD })
    const made = { name: 'x', scopes: ['read'], password: PASSWORD }
    const { body } = await api.ask('POST', '/api/keys', { token, body: made })
    const { key: apiKey } = body.key as { key: string }
    await api.ask('POST', '/api/webhooks', { token, body: { url: HOOK } })
    const stranger = tokensOf((await signInWith(api, key)).body)
    const change = (path: string, more: object) =>
      api.ask('POST', `/api/auth/${path}`, { token, body: more })
    if (changed === 'password') {
      const wish = { password: PASSWORD, newPassword: NEW_PASSWORD, endAccess: true }
      expect((await change('password', wish)).status).toBe(200)
      expect((await newestMail(api, email))?.text).toContain('only after you link it again')
    } else {
      const address = 'countess@example.net'
      await change('email', { email: address, password: PASSWORD })
      const code = await codeFor(api, address)
      expect((await change('email', { email: address, code, endAccess: true })).status).toBe(200)
    }
    expect(await signInWith(api, key)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await api.ask('GET', '/api/auth/me', { apiKey })).status).toBe(401)
    const { refreshToken } = stranger
    const refreshed = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })
    expect(refreshed.status).toBe(401)
    const hooks = await api.ask('GET', '/api/webhooks', { token })
    expect(hooks.body).toMatchObject({ webhooks: [{ status: 'paused' }] })
    const again = changed === 'password' ? NEW_PASSWORD : PASSWORD
    expect((await link(api, token, key, { password: again })).status).toBe(200)
    expect((await signInWith(api, key)).status).toBe(200)
  },
)

test('makes an API key with the password, or within ten minutes of the sign-in', async () => {
  const { api, token } = await signedInBefore()
  const make = (more: object, as = token) =>
    api.ask('POST', '/api/keys', { token: as, body: { name: 'a', scopes: ['read'], ...more } })
  expect(await make({})).toMatchObject({ status: 403, body: { code: 'sign_in_again' } })
  expect(await make({ password: 'wrong' })).toMatchObject({
    body: { code: 'invalid_credentials' },
  })
  expect((await make({ password: PASSWORD })).status).toBe(201)
  const { accessToken } = tokensOf((await login(api, 'ada')).body)
  expect((await make({}, accessToken)).status).toBe(201)
})
