import { Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../support/fake-clock.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deployWallet, keyOf, planWallet, signTogether } from '../../support/test-wallets.ts'
import { createApiWithUser, createTestApi, refusal, type TestApi } from './support/api.ts'

type Challenge = { nonce: string; message: string; expiresAt: string }

const challenge = async (api: TestApi, token: string, address: string): Promise<Challenge> => {
  const answer = await api.ask('POST', '/api/auth/wallets/challenge', { token, body: { address } })
  expect(answer.status).toBe(201)
  return answer.body.challenge as Challenge
}
const link = (api: TestApi, token: string, body: Record<string, unknown>) =>
  api.ask('POST', '/api/auth/wallets', { token, body })

const linkKey = async (api: TestApi, token: string, key: { address: string } & Signer) => {
  const { message } = await challenge(api, token, key.address)
  return link(api, token, { message, signature: await key.signMessage(message) })
}
type Signer = { signMessage(message: string): Promise<string> }

test('links a wallet by the message of EIP-4361, or by its nonce', async () => {
  const { api, userId, token } = await createApiWithUser()
  const key = Wallet.createRandom()
  const { message, nonce } = await challenge(api, token, key.address)
  const lines = message.split('\n')
  expect(lines.slice(0, 3)).toEqual([
    'localhost:3000 wants you to sign in with your Ethereum account:',
    key.address,
    '',
  ])
  expect(lines[3]).toContain(userId)
  expect(lines.slice(5)).toEqual([
    'URI: http://localhost:3000/',
    'Version: 1',
    'Chain ID: 31337',
    `Nonce: ${nonce}`,
    expect.stringMatching(/^Issued At: \d{4}-\d\d-\d\dT/),
    expect.stringMatching(/^Expiration Time: \d{4}-\d\d-\d\dT/),
  ])
  const linked = await link(api, token, { nonce, signature: await key.signMessage(message) })
  expect(linked).toMatchObject({
    status: 201,
    body: { wallet: { address: key.address, chainId: 31337, method: 'ecdsa' } },
  })
  const again = await linkKey(api, token, key)
  expect(again).toMatchObject({ status: 200, body: { wallet: linked.body.wallet } })
  const listed = await api.ask('GET', '/api/auth/wallets', { token })
  expect(listed.body.wallets).toEqual([linked.body.wallet])
})

test('refuses a signature that is not the wallet’s own under that very message', async () => {
  const { api, token } = await createApiWithUser()
  const other = await api.signIn()
  const key = Wallet.createRandom()
  const { message, nonce } = await challenge(api, token, key.address)
  const good = await key.signMessage(message)
  const theirs = await challenge(api, other.token, key.address)
  const refusals: [string, string, Record<string, unknown>][] = [
    [
      'another key',
      'invalid_signature',
      { nonce, signature: await Wallet.createRandom().signMessage(message) },
    ],
    ['another message', 'invalid_signature', { nonce, signature: await key.signMessage('hello') }],
    ['no signature of 65 bytes', 'invalid_signature', { nonce, signature: '0x00' }],
    ['a changed message', 'invalid_challenge', { message: `${message} `, signature: good }],
    ['no message of ours', 'invalid_challenge', { message: 'hello', signature: good }],
    ['an unknown nonce', 'invalid_challenge', { nonce: '0'.repeat(32), signature: good }],
    [
      "another user's challenge",
      'invalid_challenge',
      { nonce: theirs.nonce, signature: await key.signMessage(theirs.message) },
    ],
    ['both', 'invalid_input', { message, nonce, signature: good }],
    ['neither', 'invalid_input', { signature: good }],
    ['no hex', 'invalid_input', { nonce, signature: 'good' }],
  ]
  for (const [what, code, body] of refusals) {
    expect(await link(api, token, body), what).toMatchObject({ status: 400, body: { code } })
  }
  expect((await link(api, token, { nonce, signature: good })).status).toBe(201)
})

test('refuses a challenge that was used, has expired, or was replaced', async () => {
  const clock = createFakeClock()
  const { api, token } = await createApiWithUser({ clock })
  const key = Wallet.createRandom()
  const first = await challenge(api, token, key.address)
  const second = await challenge(api, token, key.address)
  const answer = async ({ nonce, message }: Challenge) =>
    link(api, token, { nonce, signature: await key.signMessage(message) })
  expect(await answer(first)).toMatchObject(refusal(400, 'invalid_challenge'))
  expect((await answer(second)).status).toBe(201)
  expect(await answer(second)).toMatchObject(refusal(400, 'invalid_challenge'))
  const third = await challenge(api, token, key.address)
  clock.advance(10 * 60_000)
  expect(await answer(third)).toMatchObject(refusal(400, 'invalid_challenge'))
})

test('repeats the answer to a link that was lost, although the challenge is used', async () => {
  const { api, token } = await createApiWithUser()
  const key = Wallet.createRandom()
  const { message, nonce } = await challenge(api, token, key.address)
  const asked = { token, key: 'lost', body: { nonce, signature: await key.signMessage(message) } }
  const first = await api.ask('POST', '/api/auth/wallets', asked)
  const again = await api.ask('POST', '/api/auth/wallets', asked)
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const fresh = await api.ask('POST', '/api/auth/wallets', { ...asked, key: 'other' })
  expect(fresh).toMatchObject(refusal(400, 'invalid_challenge'))
})

test('gives a wallet to one user only, however many link it at once', async () => {
  const api = await createTestApi()
  const key = Wallet.createRandom()
  const users = await Promise.all(Array.from({ length: 4 }, () => api.signIn()))
  const answers = await Promise.all(users.map(({ token }) => linkKey(api, token, key)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('wallet_taken')
})

test('unlinks a wallet, for its owner only, and lets another user link it then', async () => {
  const api = await createTestApi()
  const [owner, other] = [await api.signIn(), await api.signIn()]
  const key = Wallet.createRandom()
  const { body } = await linkKey(api, owner.token, key)
  const path = `/api/auth/wallets/${(body.wallet as { id: string }).id}`
  expect((await api.ask('DELETE', path, { token: other.token })).status).toBe(404)
  expect((await api.ask('DELETE', path)).status).toBe(401)
  expect((await api.ask('DELETE', path, { token: owner.token })).status).toBe(204)
  expect((await linkKey(api, other.token, key)).status).toBe(201)
})

test('refuses a challenge for what is no address, or on an unknown chain', async () => {
  const { api, token } = await createApiWithUser()
  const bad: [string, Record<string, unknown>][] = [
    ['invalid_input', { address: '0x12' }],
    ['invalid_input', { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' }],
    ['invalid_input', {}],
    ['unknown_chain', { address: keyOf(1).address, chainId: 5 }],
  ]
  for (const [code, body] of bad) {
    const answer = await api.ask('POST', '/api/auth/wallets/challenge', { token, body })
    expect(answer).toMatchObject({ status: 400, body: { code } })
  }
})

describe.runIf(hasAnvil)('a contract wallet', () => {
  test('is linked by its owners, deployed or not', async () => {
    const chain = await startTestChain()
    const { api, token } = await createApiWithUser({ rpcUrl: chain.url })
    const address = await deployWallet(chain, [1, 2, 3], 2)
    const { message } = await challenge(api, token, address)
    const sign = (owners: number[], text: string) =>
      signTogether(owners, (one) => one.signMessage(text))
    const alone = await link(api, token, { message, signature: await sign([1], message) })
    expect(alone).toMatchObject(refusal(400, 'invalid_signature'))
    expect(
      await link(api, token, { message, signature: await sign([1, 3], message) }),
    ).toMatchObject({ status: 201, body: { wallet: { method: 'eip1271' } } })

    const planned = await planWallet(chain, [1, 2], 2)
    const next = await challenge(api, token, planned.address)
    const signature = planned.wrap(await sign([1, 2], next.message))
    expect(await link(api, token, { nonce: next.nonce, signature })).toMatchObject({
      status: 201,
      body: { wallet: { method: 'eip6492' } },
    })
  })
})
