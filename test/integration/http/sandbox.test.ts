import { expect, onTestFinished, test } from 'vitest'
import { connectDevNode, type DevNode } from '../../../src/chain/index.ts'
import { ChainConfig } from '../../../src/config/config.ts'
import { EVENT_TYPES, eventData } from '../../../src/outbox/events.ts'
import { serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { createWorld, TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { createApiWithUser, createTestApi, refusal, type TestApi } from './support/api.ts'

const RECIPIENT = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

const nodeOf = async (rpcUrl: string): Promise<DevNode | null> => {
  const { ctx } = await createWorld()
  const chain = ChainConfig.parse({ id: TEST_CHAIN.id, name: 'test', rpc: [rpcUrl] })
  const node = await connectDevNode(chain, ctx.log)
  onTestFinished(() => node?.close())
  return node
}

const withChain = async (): Promise<{ api: TestApi; chain: TestChain; token: string }> => {
  const chain = await startTestChain()
  const devChain = await nodeOf(chain.url)
  if (!devChain) throw new Error('Anvil was not recognised.')
  const api = await createTestApi({ deps: { devChain } })
  return { api, chain, token: (await api.signIn()).token }
}

const balances = async (chain: TestChain, address: string) => ({
  ether: BigInt(await chain.call<string>('eth_getBalance', [address, 'latest'])),
  token: BigInt(
    await chain.call<string>('eth_call', [
      { to: TOKEN, data: `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}` },
      'latest',
    ]),
  ),
})

test('makes a fresh wallet each time, and keeps nothing of it', async () => {
  const api = await createTestApi()
  const { Wallet } = await import('ethers')
  const made = await Promise.all(
    Array.from({ length: 20 }, () => api.ask('POST', '/api/sandbox/wallet')),
  )
  const wallets = made.map(({ body }) => body.wallet as { address: string; privateKey: string })
  expect(new Set(wallets.map(({ address }) => address)).size).toBe(20)
  for (const { address, privateKey } of wallets) {
    expect(new Wallet(privateKey).address).toBe(address)
  }
})

test('sends an example of every event to the caller, marked as a test, and to no other user', async () => {
  const { api, token } = await createApiWithUser()
  const admin = await api.signIn({ roles: ['admin'] })
  const register = async (caller: string) => {
    const body = { url: 'http://127.0.0.1:3999/hook', events: EVENT_TYPES }
    const answer = await api.ask('POST', '/api/webhooks', { token: caller, body })
    return (answer.body as { webhook: { id: string } }).webhook.id
  }
  const [own, foreign] = [await register(token), await register(admin.token)]
  for (const event of EVENT_TYPES) {
    const answer = await api.ask('POST', '/api/sandbox/event', { token, body: { event } })
    expect(answer).toMatchObject({ status: 201, body: { event: { event, endpoints: [own] } } })
  }
  const rows = await api.ctx.sql<{ body: string; endpointId: string }[]>`
    select event.body, endpoint_id from webhook_delivery join event on event.id = event_id`
  expect(rows).toHaveLength(EVENT_TYPES.length)
  for (const { body, endpointId } of rows) {
    const { event, test: marked, data } = JSON.parse(body)
    expect([marked, endpointId]).toEqual([true, own])
    expect(eventData[event as keyof typeof eventData].strict().parse(data)).toEqual(data)
  }
  expect(api.wakes).toContain('deliveries')
  const ask = (endpointId: string) =>
    api.ask('POST', '/api/sandbox/event', { token, body: { event: 'user.verified', endpointId } })
  expect((await ask(own)).status).toBe(201)
  expect((await ask(foreign)).status).toBe(404)
})

test('says so when no endpoint asks for the event', async () => {
  const { api, token } = await createApiWithUser()
  const body = { event: 'campaign.funded' }
  const answer = await api.ask('POST', '/api/sandbox/event', { token, body })
  expect(answer).toMatchObject(refusal(409, 'conflict'))
})

test('has no sandbox in production, and no chain to play with where it is no development chain', async () => {
  const devChain = {} as DevNode
  const settings = { environment: 'production' as const }
  const production = await createTestApi({ settings, deps: { devChain } })
  const { token } = await production.signIn({ roles: ['admin'] })
  for (const path of ['wallet', 'faucet', 'transfer', 'event', 'reorg', 'drop']) {
    const answer = await production.ask('POST', `/api/sandbox/${path}`, { token, body: {} })
    expect(answer).toMatchObject(refusal(404, 'route_not_found'))
  }
  expect((await production.ask('GET', '/openapi.json')).text).not.toContain('/sandbox/')
  const chainless = await createTestApi()
  const answer = await chainless.ask('POST', '/api/sandbox/reorg', { body: { depth: 1 } })
  expect(answer.status).toBe(404)
})

test('takes only Anvil for a development chain', async () => {
  const server = await serveRpc(() => 'Geth/v1.16.0')
  onTestFinished(() => server.close())
  expect(await nodeOf(server.url)).toBeNull()
  expect(await nodeOf('http://127.0.0.1:9')).toBeNull()
})

test.runIf(hasAnvil)(
  'gives test money from the faucet, and sends a transfer like a donor',
  async () => {
    const { api, chain, token } = await withChain()
    const funded = await api.ask('POST', '/api/sandbox/faucet', {
      token,
      body: { address: RECIPIENT.toLowerCase() },
    })
    expect(funded).toMatchObject({ status: 201, body: { success: true } })
    const before = await balances(chain, RECIPIENT)
    await chain.mine()
    const after = await balances(chain, RECIPIENT)
    expect(after.ether - before.ether).toBe(10n ** 19n)
    expect(after.token - before.token).toBe(10_000_000_000n)

    for (const [currency, amount] of [
      ['USDC', '12.5'],
      ['ETH', 0.25],
    ] as const) {
      const sent = await api.ask('POST', '/api/sandbox/transfer', {
        token,
        body: { to: RECIPIENT, amount, currency },
      })
      const { transfer } = sent.body as { transfer: { txHash: string; from: string } }
      expect(sent.status).toBe(201)
      await chain.mine()
      const receipt = await chain.call<{ status: string; from: string }>(
        'eth_getTransactionReceipt',
        [transfer.txHash],
      )
      expect(receipt).toMatchObject({ status: '0x1', from: transfer.from.toLowerCase() })
    }
    const last = await balances(chain, RECIPIENT)
    expect(last.token - after.token).toBe(12_500_000n)
    expect(last.ether - after.ether).toBe(25n * 10n ** 16n)
  },
)

test.runIf(hasAnvil)(
  'pays the account of the seeded campaign too, and from another one',
  async () => {
    const { api, chain, token } = await withChain()
    const seeded = (await chain.call<string[]>('eth_accounts')).at(-1) ?? ''
    const before = await balances(chain, seeded)
    for (const [currency, amount] of [
      ['USDC', '5'],
      ['ETH', '10'],
    ] as const) {
      const body = { to: seeded, amount, currency }
      const sent = await api.ask('POST', '/api/sandbox/transfer', { token, body })
      const { transfer } = sent.body as { transfer: { from: string } }
      expect(transfer.from.toLowerCase()).not.toBe(seeded)
      await chain.mine()
    }
    const after = await balances(chain, seeded)
    expect(after.token - before.token).toBe(5_000_000n)
    expect(after.ether - before.ether).toBe(10n ** 19n)
  },
)

test.runIf(hasAnvil)('refuses transfers that no chain can make', async () => {
  const { api, token } = await withChain()
  for (const [changes, code] of [
    [{ currency: 'USD' }, 'unknown_currency'],
    [{ currency: 'DOGE' }, 'unknown_currency'],
    [{ amount: 0 }, 'invalid_amount'],
    [{ amount: '0.0000001' }, 'invalid_amount'],
    [{ amount: '99999999', currency: 'ETH' }, 'invalid_amount'],
    [{ to: RECIPIENT.replace('F79b', 'f79b') }, 'invalid_input'],
  ] as const) {
    const body = { to: RECIPIENT, amount: 1, currency: 'USDC', ...changes }
    const answer = await api.ask('POST', '/api/sandbox/transfer', { token, body })
    expect(answer).toMatchObject({ status: 400, body: { code } })
  }
  expect((await api.ask('POST', '/api/sandbox/transfer', { body: {} })).status).toBe(401)
})

test.runIf(hasAnvil)(
  'makes faults on demand: a reorganisation, and a transaction that vanishes',
  async () => {
    const { api, chain, token } = await withChain()
    const transfer = async (): Promise<string> => {
      const body = { to: RECIPIENT, amount: 1, currency: 'USDC' }
      const answer = await api.ask('POST', '/api/sandbox/transfer', { token, body })
      return (answer.body as { transfer: { txHash: string } }).transfer.txHash
    }
    const drop = async (txHash: string) => {
      const { status, body } = await api.ask('POST', '/api/sandbox/drop', {
        token,
        body: { txHash },
      })
      return [status, body.replacedBlocks ?? body.code]
    }
    const isKnown = async (hash: string) =>
      (await chain.call<object | null>('eth_getTransactionByHash', [hash])) !== null

    const pending = await transfer()
    expect(await drop(pending)).toEqual([200, 0])
    expect(await drop(pending)).toEqual([404, 'not_found'])

    const other = await chain.send(await chain.signToken(1, RECIPIENT, 1n))
    const mined = await transfer()
    await chain.mine(3)
    expect(await drop(mined.toUpperCase().replace('0X', '0x'))).toEqual([200, 3])
    expect([await isKnown(mined), await isKnown(other.hash)]).toEqual([false, true])

    const gone = await transfer()
    const head = await chain.mine()
    const reorg = (depth: number) =>
      api.ask('POST', '/api/sandbox/reorg', { token, body: { depth } })
    expect(await reorg(1)).toMatchObject({ status: 200, body: { replacedBlocks: 1 } })
    expect([await isKnown(gone), await chain.head()]).toEqual([false, head])
    expect(await reorg(60)).toMatchObject(refusal(409, 'conflict'))
    expect(await reorg(65)).toMatchObject(refusal(400, 'invalid_input'))
  },
)
