import { Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deployWallet, signTogether } from '../../support/test-wallets.ts'
import {
  createApiWithUser,
  createCampaign,
  createTestApi,
  refusal,
  type TestApi,
} from './support/api.ts'

const required = { settings: { requireAccountProof: true } }

type Proven = { _id: string; status: string; account_proven: boolean }
const create = (api: TestApi, token: string, account: string, changes = {}) =>
  createCampaign<Proven>(api, token, { ledger_account: account, ...changes })
const messageFor = async (api: TestApi, token: string, id: string): Promise<string> => {
  const { body } = await api.ask('GET', `/api/campaigns/${id}/account-proof`, { token })
  return String(body.message)
}
const prove = (api: TestApi, token: string, id: string, signature?: string) =>
  api.ask('POST', `/api/campaigns/${id}/account-proof`, { token, body: { signature } })

test('opens a campaign that only waited for its account to sign', async () => {
  const { api, userId, token } = await createApiWithUser(required)
  const key = Wallet.createRandom()
  const campaign = await create(api, token, key.address)
  expect(campaign).toMatchObject({ status: 'draft', account_proven: false })
  const id = campaign._id
  const message = await messageFor(api, token, id)
  for (const part of [id, userId, `eip155:31337:${key.address}`, 'sandbox']) {
    expect(message).toContain(part)
  }
  expect(await prove(api, token, id, await key.signMessage(message))).toMatchObject({
    status: 200,
    body: { campaign: { status: 'active', account_proven: true } },
  })
  const [row] = await api.ctx.sql<{ opened: boolean; events: number }[]>`
    select opened_at is not null as opened,
           (select count(*) from event where type = 'campaign.updated') as events
    from campaign where id = ${id}`
  expect(row).toEqual({ opened: true, events: 1 })
  expect((await prove(api, token, id, await key.signMessage(message))).status).toBe(200)
  const proof = await api.ask('GET', `/api/campaigns/${id}/account-proof`, { token })
  expect(proof.body).toMatchObject({ proven: true, ledgerAccount: key.address })
})

test('keeps a campaign a draft that was created as a draft', async () => {
  const { api, token } = await createApiWithUser(required)
  const key = Wallet.createRandom()
  const { _id: id } = await create(api, token, key.address, { status: 'draft' })
  const signature = await key.signMessage(await messageFor(api, token, id))
  expect(await prove(api, token, id, signature)).toMatchObject({
    body: { campaign: { status: 'draft', account_proven: true } },
  })
  const opened = await api.ask('PATCH', `/api/campaigns/${id}`, {
    token,
    body: { status: 'active' },
  })
  expect(opened).toMatchObject({ status: 200, body: { campaign: { status: 'active' } } })
})

test('takes a linked wallet of the creator for a proof', async () => {
  const { api, userId, token } = await createApiWithUser(required)
  const [early, late] = [Wallet.createRandom(), Wallet.createRandom()]
  await linkWallet(api, userId, early.address)
  expect(await create(api, token, early.address)).toMatchObject({
    status: 'active',
    account_proven: true,
  })
  const { _id: id } = await create(api, token, late.address)
  expect(await prove(api, token, id)).toMatchObject(refusal(400, 'invalid_signature'))
  await linkWallet(api, userId, late.address)
  expect(await prove(api, token, id)).toMatchObject({ body: { campaign: { status: 'active' } } })
})

test('refuses a proof that is not the account’s, for that campaign, by its creator', async () => {
  const api = await createTestApi(required)
  const [creator, other] = [await api.signIn(), await api.signIn()]
  const key = Wallet.createRandom()
  const { _id: id } = await create(api, creator.token, key.address)
  const { _id: second } = await create(api, creator.token, key.address)
  const message = await messageFor(api, creator.token, id)
  const good = await key.signMessage(message)
  const wrong = {
    'of another key': await Wallet.createRandom().signMessage(message),
    'of another campaign': await key.signMessage(await messageFor(api, creator.token, second)),
    'of another environment': await key.signMessage(message.replace('sandbox', 'production')),
  }
  for (const [what, signature] of Object.entries(wrong)) {
    expect(await prove(api, creator.token, id, signature), what).toMatchObject(
      refusal(400, 'invalid_signature'),
    )
  }
  expect((await prove(api, other.token, id, good)).status).toBe(404)
  expect((await prove(api, creator.token, id, '0xzz')).status).toBe(400)
  const path = `/api/campaigns/${id}/account-proof`
  expect((await api.ask('GET', path, { token: other.token })).status).toBe(404)
  expect((await api.ask('GET', path)).status).toBe(401)
  expect((await prove(api, creator.token, id, good)).status).toBe(200)
  const open = await api.ask('GET', path, { token: other.token })
  expect(open).toMatchObject(refusal(403, 'forbidden'))
  // An account belongs to at most one open campaign, whether the account is proven or not.
  const signature = await key.signMessage(await messageFor(api, creator.token, second))
  expect(await prove(api, creator.token, second, signature)).toMatchObject(
    refusal(409, 'account_in_use'),
  )
})

describe.runIf(hasAnvil)('the account of a contract', () => {
  test('is proven by its owners', async () => {
    const chain = await startTestChain()
    const { api, token } = await createApiWithUser({ ...required, rpcUrl: chain.url })
    const account = await deployWallet(chain, [1, 2], 2)
    const { _id: id } = await create(api, token, account)
    const message = await messageFor(api, token, id)
    const sign = (owners: number[]) => signTogether(owners, (one) => one.signMessage(message))
    expect((await prove(api, token, id, await sign([1]))).status).toBe(400)
    expect(await prove(api, token, id, await sign([1, 2]))).toMatchObject({
      body: { campaign: { status: 'active' } },
    })
  })
})
