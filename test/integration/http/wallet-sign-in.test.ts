import { concat, Signature, toBeHex, Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { createSanctionScreen } from '../../../src/domain/people/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import {
  deploy,
  deployWallet,
  keyOf,
  planWallet,
  signTogether,
} from '../../support/test-wallets.ts'
import { codeFor, login, mailsTo, register, tokensOf, verify } from './support/account.ts'
import {
  createApiWithUser,
  createClockedApi,
  createTestApi,
  refusal,
  type TestApi,
} from './support/api.ts'

type Challenge = { nonce: string; message: string }
type Signer = { address: string; signMessage(message: string): Promise<string> }
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const NEW_PASSWORD = 'loud-mountain-17-birds'

const challenge = async (api: TestApi, address: string): Promise<Challenge> => {
  const answer = await api.ask('POST', '/api/auth/wallets/sign-in/challenge', { body: { address } })
  expect(answer.status).toBe(201)
  return answer.body.challenge as Challenge
}
const signIn = (api: TestApi, body: Record<string, unknown>) =>
  api.ask('POST', '/api/auth/wallets/sign-in', { body })
const signInAs = async (api: TestApi, key: Signer) => {
  const { message } = await challenge(api, key.address)
  return signIn(api, { message, signature: await key.signMessage(message) })
}
const linkChallenge = async (api: TestApi, token: string, address: string): Promise<Challenge> => {
  const asked = { token, body: { address } }
  const { body } = await api.ask('POST', '/api/auth/wallets/challenge', asked)
  return body.challenge as Challenge
}
const link = async (api: TestApi, token: string, key: Signer) => {
  const { message } = await linkChallenge(api, token, key.address)
  const body = { message, signature: await key.signMessage(message) }
  return api.ask('POST', '/api/auth/wallets', { token, body })
}
const tokenOf = ({ body }: { body: Record<string, unknown> }) => tokensOf(body).accessToken
const userOf = ({ body }: { body: Record<string, unknown> }) => (body.user as { id: string }).id
const keyIn = ({ body }: { body: Record<string, unknown> }) => (body.key as { key: string }).key
const accounts = async ({ ctx }: TestApi) =>
  (await ctx.sql<{ count: number }[]>`select count(*)::int as count from app_user`)[0]?.count

test('makes a verified account without mail by a wallet’s signature, and opens it the next time', async () => {
  const api = await createTestApi()
  const key = Wallet.createRandom()
  const { message, nonce } = await challenge(api, key.address)
  expect(message.split('\n')).toEqual([
    'localhost:3000 wants you to sign in with your Ethereum account:',
    key.address,
    '',
    'Sign in to Fundproof (sandbox).',
    '',
    'URI: http://localhost:3000/',
    'Version: 1',
    'Chain ID: 31337',
    `Nonce: ${nonce}`,
    expect.stringMatching(/^Issued At: \d{4}-\d\d-\d\dT/),
    expect.stringMatching(/^Expiration Time: \d{4}-\d\d-\d\dT/),
  ])
  const made = await signIn(api, { nonce, signature: await key.signMessage(message) })
  expect(made).toMatchObject({
    status: 201,
    body: { user: { email: null, username: expect.stringMatching(/^wallet-[0-9a-f]{16}$/) } },
  })
  const opened = await signInAs(api, key)
  expect(opened).toMatchObject({ status: 200, body: { user: made.body.user } })
  const token = tokenOf(opened)
  expect((await api.ask('GET', '/api/auth/me', { token })).body).toMatchObject({
    email: null,
    emailVerified: false,
    verified: true,
    roles: [],
  })
  expect((await api.ask('GET', '/api/auth/wallets', { token })).body).toMatchObject({
    wallets: [{ address: key.address, method: 'ecdsa' }],
  })
  // Only verified accounts can make an API key, and this account is verified.
  const body = { name: 'a key', scopes: ['read', 'webhooks:write'] }
  const created = await api.ask('POST', '/api/keys', { token, body })
  expect(created.status).toBe(201)
  const hook = await api.ask('POST', '/api/webhooks', {
    apiKey: keyIn(created),
    body: { url: 'http://127.0.0.1:3999/hook' },
  })
  expect(hook.status).toBe(201)
  const events = await api.ctx.sql<{ type: string }[]>`select type from event`
  expect(events.map(({ type }) => type)).toEqual(['user.verified'])
  const { refreshToken } = tokensOf(opened.body)
  expect((await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })).status).toBe(200)
  const text = await login(api, String((made.body.user as { username: string }).username), '')
  expect(text.status).toBe(400)
  const guessed = await login(api, String((made.body.user as { username: string }).username))
  expect(guessed).toMatchObject(refusal(401, 'invalid_credentials'))
})

test('refuses every forged, foreign, changed or malformed signature, and makes no account', async () => {
  const { api, token } = await createApiWithUser()
  const key = Wallet.createRandom()
  const { message, nonce } = await challenge(api, key.address)
  const foreign = await challenge(api, Wallet.createRandom().address)
  const toLink = await linkChallenge(api, token, key.address)
  const good = await key.signMessage(message)
  const { r, s, v } = Signature.from(good)
  const mirrored = concat([r, toBeHex(ORDER - BigInt(s), 32), toBeHex(v === 27 ? 28 : 27)])
  const signature = 'invalid_signature'
  const unknown = 'invalid_challenge'
  const input = 'invalid_input'
  const attacks: [string, string, Record<string, unknown>][] = [
    ['another key', signature, { signature: await Wallet.createRandom().signMessage(message) }],
    ['another message', signature, { signature: await key.signMessage('hello') }],
    ['a message with more', signature, { signature: await key.signMessage(`${message} `) }],
    [
      'another domain',
      signature,
      {
        signature: await key.signMessage(message.replace('localhost:3000', 'evil.example')),
      },
    ],
    [
      'another chain',
      signature,
      {
        signature: await key.signMessage(message.replace('Chain ID: 31337', 'Chain ID: 1')),
      },
    ],
    [
      'the message without EIP-191',
      signature,
      {
        signature: key.signingKey.sign(`0x${'ab'.repeat(32)}`).serialized,
      },
    ],
    ['the mirrored signature', signature, { signature: mirrored }],
    ['cut off', signature, { signature: good.slice(0, -2) }],
    ['with more behind it', signature, { signature: `${good}00` }],
    ['of zeros', signature, { signature: `0x${'00'.repeat(65)}` }],
    ['of one byte', signature, { signature: '0x00' }],
    ['a wrong recovery value', signature, { signature: `${good.slice(0, -2)}1d` }],
    ['a suffix of ERC-6492 alone', signature, { signature: `0x${'6492'.repeat(16)}` }],
    [
      'a deployment without a chain to ask',
      signature,
      {
        signature: `0x${'11'.repeat(64)}${'6492'.repeat(16)}`,
      },
    ],
    [
      "another wallet's challenge",
      signature,
      {
        nonce: foreign.nonce,
        signature: await key.signMessage(foreign.message),
      },
    ],
    [
      'a challenge to link, signed',
      unknown,
      {
        nonce: toLink.nonce,
        signature: await key.signMessage(toLink.message),
      },
    ],
    [
      'a link message',
      unknown,
      {
        nonce: undefined,
        message: toLink.message,
        signature: await key.signMessage(toLink.message),
      },
    ],
    ['a changed message', unknown, { nonce: undefined, message: `${message} ` }],
    [
      'a message with two nonces',
      unknown,
      {
        nonce: undefined,
        message: `${message}\nNonce: ${'0'.repeat(32)}`,
      },
    ],
    [
      'a message of ours for another address',
      unknown,
      {
        nonce: undefined,
        message: message.replace(key.address, Wallet.createRandom().address),
      },
    ],
    [
      'a message whose time is later',
      unknown,
      {
        nonce: undefined,
        message: message.replace(/Expiration Time: 20/, 'Expiration Time: 21'),
      },
    ],
    ['no message of ours', unknown, { nonce: undefined, message: 'hello' }],
    ['an unknown nonce', unknown, { nonce: '0'.repeat(32) }],
    ['both', input, { message }],
    ['neither', input, { nonce: undefined }],
    ['a nonce in upper case', input, { nonce: 'A'.repeat(32) }],
    ['a nonce with a wildcard', input, { nonce: `%${nonce.slice(1)}` }],
    ['no hex', input, { signature: 'good' }],
    ['half a byte', input, { signature: `${good}0` }],
    ['empty', input, { signature: '0x' }],
    ['a list', input, { signature: [good] }],
    ['an address of one’s choice', 'unknown_parameter', { address: key.address }],
    ['a user of one’s choice', 'unknown_parameter', { userId: newId() }],
    ['roles', 'unknown_parameter', { roles: ['admin'] }],
  ]
  expect(attacks.length).toBeGreaterThan(30)
  const before = await accounts(api)
  for (const [what, code, changes] of attacks) {
    const answer = await signIn(api, { nonce, signature: good, ...changes })
    expect(answer, what).toMatchObject({ status: 400, body: { code } })
  }
  expect((await signIn(api, { nonce, signature: `0x${'11'.repeat(40_000)}` })).status).toBe(413)
  expect(await accounts(api)).toBe(before)
  expect((await signIn(api, { nonce, signature: good })).status).toBe(201)
})

test('refuses a sign-in challenge where a wallet is linked', async () => {
  const { api, token } = await createApiWithUser()
  const key = Wallet.createRandom()
  const { message } = await challenge(api, key.address)
  const body = { message, signature: await key.signMessage(message) }
  const answer = await api.ask('POST', '/api/auth/wallets', { token, body })
  expect(answer).toMatchObject(refusal(400, 'invalid_challenge'))
})

test('takes a challenge once and in its time, and lets no stranger end it by asking for another', async () => {
  const { api, clock } = await createClockedApi()
  const key = Wallet.createRandom()
  const answer = async ({ nonce, message }: Challenge) =>
    signIn(api, { nonce, signature: await key.signMessage(message) })
  const first = await challenge(api, key.address)
  const second = await challenge(api, key.address)
  expect((await answer(first)).status).toBe(201)
  const refused = { status: 400, body: { code: 'invalid_challenge' } }
  expect(await answer(first)).toMatchObject(refused)
  clock.advance(10 * 60_000)
  expect(await answer(second)).toMatchObject(refused)
  const third = await challenge(api, key.address)
  const both = await Promise.all([answer(third), answer(third)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('makes one account of one wallet, however many sign-ins come at once', async () => {
  const api = await createTestApi()
  const key = Wallet.createRandom()
  const answers = await Promise.all(Array.from({ length: 5 }, () => signInAs(api, key)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
  expect(new Set(answers.map(userOf)).size).toBe(1)
  expect(await accounts(api)).toBe(1)
})

test('opens the account that has linked the wallet, unless the password was reset since', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const email = 'ada@example.org'
  await verify(api, email, await codeFor(api, email))
  const key = Wallet.createRandom()
  const session = await login(api, 'ada')
  await link(api, tokenOf(session), key)
  const opened = await signInAs(api, key)
  expect(opened).toMatchObject({ status: 200, body: { user: { email } } })
  await api.ask('POST', '/api/auth/reset-password', { body: { email } })
  const body = { email, code: await codeFor(api, email), password: NEW_PASSWORD }
  expect((await api.ask('POST', '/api/auth/reset-password', { body })).status).toBe(200)
  // A stranger who controlled the account before the reset may have linked this wallet.
  expect(await signInAs(api, key)).toMatchObject(refusal(403, 'forbidden'))
  expect((await api.ask('GET', '/api/auth/me', { token: tokenOf(opened) })).status).toBe(401)
  await link(api, tokenOf(await login(api, 'ada', NEW_PASSWORD)), key)
  expect((await signInAs(api, key)).status).toBe(200)
})

test('keeps the last wallet of an account without mail, and gives an unlinked wallet a new account', async () => {
  const api = await createTestApi()
  const [key, other] = [Wallet.createRandom(), Wallet.createRandom()]
  const made = await signInAs(api, key)
  const token = tokenOf(made)
  await link(api, token, other)
  const { body } = await api.ask('GET', '/api/auth/wallets', { token })
  const paths = (body.wallets as { id: string }[]).map(({ id }) => `/api/auth/wallets/${id}`)
  const answers = await Promise.all(paths.map((path) => api.ask('DELETE', path, { token })))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  const users = [userOf(await signInAs(api, key)), userOf(await signInAs(api, other))]
  expect(users.filter((id) => id === userOf(made))).toHaveLength(1)
})

test('refuses a sanctioned wallet', async () => {
  const key = Wallet.createRandom()
  const list = new Set([key.address.toLowerCase()])
  const sanctions = createSanctionScreen({ list, oracles: [], clock: systemClock })
  const api = await createTestApi({ sanctions })
  expect((await signInAs(api, key)).status).toBe(451)
  expect(await accounts(api)).toBe(0)
})

test('adds an address by a code that is good for this address and account only', async () => {
  const api = await createTestApi()
  const signedIn = [
    await signInAs(api, Wallet.createRandom()),
    await signInAs(api, Wallet.createRandom()),
  ] as const
  const [token, other] = [tokenOf(signedIn[0]), tokenOf(signedIn[1])]
  await register(api, 'taken')
  const add = (email: string, code?: string, as = token) =>
    api.ask('POST', '/api/auth/email', { token: as, body: { email, code } })
  const email = 'grace@example.org'
  const asked = await add(email)
  const known = await add('taken@example.org', undefined, other)
  expect([known.status, known.text]).toEqual([asked.status, asked.text])
  expect((await mailsTo(api, 'taken@example.org'))[0]).toBe('email_taken')
  const code = String(await codeFor(api, email))
  const refused = { status: 400, body: { code: 'invalid_code' } }
  expect(await add('hopper@example.org', code)).toMatchObject(refused)
  expect(await add(email, code, other)).toMatchObject(refused)
  expect(await add(email, code === '000000' ? '000001' : '000000')).toMatchObject(refused)
  // The address still belongs to no account, so its owner could register with it.
  expect((await api.ask('GET', '/api/auth/me', { token })).body).toMatchObject({ email: null })
  expect((await add(email, code)).status).toBe(200)
  const me = await api.ask('GET', '/api/auth/me', { token })
  expect(me.body).toMatchObject({ email, emailVerified: true, verified: true })
  expect(await add(email, code)).toMatchObject(refused)
  await api.ask('POST', '/api/auth/reset-password', { body: { email } })
  const reset = { email, code: await codeFor(api, email), password: NEW_PASSWORD }
  expect((await api.ask('POST', '/api/auth/reset-password', { body: reset })).status).toBe(200)
  expect((await login(api, email, NEW_PASSWORD)).status).toBe(200)
})

test('refuses to add an address for guests, unverified accounts, those with a password, and keys', async () => {
  const api = await createTestApi()
  const add = (asked: { token?: string; apiKey?: string }) =>
    api.ask('POST', '/api/auth/email', { ...asked, body: { email: 'new@example.org' } })
  expect((await add({})).status).toBe(401)
  const unverified = await api.signIn({ verified: false })
  expect((await add({ token: unverified.token })).status).toBe(403)
  const { token } = await api.signIn()
  expect(await add({ token })).toMatchObject(refusal(400, 'invalid_input'))
  const body = { name: 'a key', scopes: ['read'] }
  const key = await api.ask('POST', '/api/keys', { token, body })
  expect((await add({ apiKey: keyIn(key) })).status).toBe(403)
})

test('asks an account without a password for a sign-in of the last ten minutes', async () => {
  const { api, clock } = await createClockedApi()
  const key = Wallet.createRandom()
  const email = 'grace@example.org'
  const post = (path: string, token: string, body: Record<string, unknown>) =>
    api.ask('POST', `/api/auth/${path}`, { token, body })
  const old = tokensOf((await signInAs(api, key)).body)
  clock.advance(10 * 60_000)
  const again = { status: 403, body: { code: 'sign_in_again' } }
  // A refresh does not count as a sign-in.
  const { refreshToken } = old
  const refreshed = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })
  for (const token of [old.accessToken, tokenOf(refreshed)]) {
    expect(await post('email', token, { email })).toMatchObject(again)
    const newPassword = NEW_PASSWORD
    expect(await post('password', token, { newPassword })).toMatchObject(again)
  }
  const token = tokenOf(await signInAs(api, key))
  const guessed = await post('email', token, { email, password: NEW_PASSWORD })
  expect(guessed).toMatchObject(refusal(401, 'invalid_credentials'))
  expect((await post('email', token, { email })).status).toBe(200)
  const code = await codeFor(api, email)
  expect((await post('email', token, { email, code })).status).toBe(200)
  expect((await post('password', token, { newPassword: NEW_PASSWORD })).status).toBe(200)
  expect((await login(api, email, NEW_PASSWORD)).status).toBe(200)
  // Now the account has a password, so a recent sign-in is not enough.
  const second = await post('password', token, { newPassword: `${NEW_PASSWORD}-2` })
  expect(second).toMatchObject(refusal(400, 'invalid_input'))
  expect((await post('email', token, { email: 'other@example.org' })).status).toBe(400)
})

test('deletes an account that a wallet made, and gives the next account of that wallet nothing of it', async () => {
  const { api, clock } = await createClockedApi()
  const key = Wallet.createRandom()
  const remove = (token: string, body = {}) =>
    api.ask('POST', '/api/auth/delete-account', { token, body })
  const old = tokenOf(await signInAs(api, key))
  clock.advance(10 * 60_000)
  expect(await remove(old)).toMatchObject(refusal(403, 'sign_in_again'))
  const signedIn = await signInAs(api, key)
  const token = tokenOf(signedIn)
  const guessed = await remove(token, { password: NEW_PASSWORD })
  expect(guessed).toMatchObject(refusal(401, 'invalid_credentials'))
  await api.ask('POST', '/api/keys', { token, body: { name: 'a key', scopes: ['read'] } })
  expect((await remove(token)).status).toBe(200)
  for (const ended of [old, token]) {
    expect((await api.ask('GET', '/api/auth/me', { token: ended })).status).toBe(401)
  }
  const [row] = await api.ctx.sql`select verified.* from (
    select (email_verified_at is not null or email is null) as verified from app_user) verified`
  expect(row).toEqual({ verified: false })
  const next = await signInAs(api, key)
  expect(next.status).toBe(201)
  expect(userOf(next)).not.toBe(userOf(signedIn))
  expect((await api.ask('GET', '/api/keys', { token: tokenOf(next) })).body.keys).toEqual([])
})

describe.runIf(hasAnvil)('a contract wallet', () => {
  test('signs in by its owners, deployed or not, and on its own chain only', async () => {
    const chain = await startTestChain()
    const api = await createTestApi({ rpcUrl: chain.url })
    const address = await deployWallet(chain, [1, 2, 3], 2)
    const attempt = async (owners: number[], text?: string) => {
      const { message } = await challenge(api, address)
      const signature = await signTogether(owners, (one) => one.signMessage(text ?? message))
      return signIn(api, { message, signature })
    }
    const refused = { status: 400, body: { code: 'invalid_signature' } }
    expect(await attempt([1])).toMatchObject(refused)
    expect(await attempt([1, 4])).toMatchObject(refused)
    expect(await attempt([1, 3], 'another message')).toMatchObject(refused)
    expect(await accounts(api)).toBe(0)
    const made = await attempt([1, 3])
    expect(made.status).toBe(201)
    expect(await attempt([2, 3])).toMatchObject({ status: 200, body: { user: made.body.user } })

    const planned = await planWallet(chain, [1, 2], 2)
    const { message } = await challenge(api, planned.address)
    const signature = planned.wrap(await signTogether([1, 2], (one) => one.signMessage(message)))
    expect((await signIn(api, { message, signature })).status).toBe(201)
    await planned.deployNow()
    const next = await challenge(api, planned.address)
    const signed = await signTogether([1, 2], (one) => one.signMessage(next.message))
    expect((await signIn(api, { message: next.message, signature: signed })).status).toBe(200)

    // On another chain, the same address may have other owners.
    await api.ctx.sql`update wallet set chain_id = 1 where address = ${address}`
    expect(await attempt([1, 3])).toMatchObject(refusal(409, 'wallet_taken'))
  })

  test('that reverts, hangs or answers anything but yes signs no user in, nor does code for a key', async () => {
    const chain = await startTestChain()
    const api = await createTestApi({ rpcUrl: chain.url })
    const creationOf = (code: string) =>
      `0x61${toBeHex(code.length / 2, 2).slice(2)}80600a3d393df3${code}`
    const yes = '631626ba7e60e01b60005260206000f3'
    const stranger = Wallet.createRandom()
    const attempt = async (address: string) => {
      const { message } = await challenge(api, address)
      return signIn(api, { message, signature: await stranger.signMessage(message) })
    }
    for (const code of [
      '60006000fd',
      '5b600056',
      'fe',
      '00',
      '631626ba7e60005260206000f3',
      '600160005260206000f3',
      '6207a1206000f3',
    ]) {
      const answer = await attempt(await deploy(chain, creationOf(code)))
      expect(answer, code).toMatchObject(refusal(400, 'invalid_signature'))
    }
    expect(await accounts(api)).toBe(0)
    // EIP-7702: the account of a key gets code that accepts every signature.
    const key = keyOf(1)
    expect((await signInAs(api, key)).status).toBe(201)
    const code = await deploy(chain, creationOf(yes))
    await chain.call('anvil_setCode', [key.address, `0xef0100${code.slice(2)}`])
    const taken = { status: 409, body: { code: 'wallet_taken' } }
    expect(await attempt(key.address)).toMatchObject(taken)
    expect((await signInAs(api, key)).status).toBe(200)
  })
})
