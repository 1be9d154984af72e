import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { donorProbe } from '../../../src/chain/escrow/wallet-probe.ts'
import { type Payment, refundLeaves } from '../../../src/domain/escrow/refund/index.ts'
import { refundAccounts } from '../../../worker/chain/refund-accounts.ts'
import { RpcFault, serveRpc } from '../../support/rpc-server.ts'
import { clientOf, codeOf } from '../chain/support.ts'

const USDC = `0x${'aa'.repeat(20)}`
const ZERO = `0x${'0'.repeat(40)}`
const END = 10
const contract = (name: number) => `0x${String(name).padStart(40, 'c')}`
const signer = (name: number) => `0x${String(name).padStart(40, 'd')}`
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const blockOf = (number: number) => ({ blockNumber: number, blockHash: hashOf(number) })
const pay = (by: number, blockNumber: number, amount = 1n): Payment => ({
  ...{ ...blockOf(blockNumber), transaction: 0, txHash: `tx${by}`, log: blockNumber },
  ...{ asset: USDC, sender: contract(by), amount },
})

/** A chain on which each contract pays in transactions of its own signer. */
const chainOf = (
  isWallet: (name: number, block: number) => boolean,
): Parameters<typeof refundAccounts>[0] => ({
  probeAt: async ({ number }, calls) =>
    calls.map(({ data }) => {
      const name = [0, 1, 2, 3].find((one) => donorProbe(contract(one)) === data)
      return hashOf(name !== undefined && isWallet(name, number) ? 1 : 0)
    }),
  receipts: async () => new Map(),
  blocksByHash: async (hashes) =>
    hashes.map((hash) => ({
      ...{ number: Number(hash), hash, proof: 'transactions-root' as const },
      transactions: [0, 1, 2, 3].map((name) => ({
        ...{ hash: `tx${name}`, to: null, value: 0n },
        raw: { type: '0x7e', from: signer(name) },
      })),
    })),
})

test('no account gets less by a later root, however contracts change between blocks', async () => {
  const payment = fc.record({
    by: fc.integer({ min: 0, max: 3 }),
    block: fc.integer({ min: 1, max: 20 }),
    amount: fc.bigInt(1n, 1000n),
  })
  const cutoffs = fc.tuple(fc.integer({ min: END, max: 20 }), fc.integer({ min: END, max: 20 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(payment, { minLength: 1 }),
      fc.array(fc.boolean(), { minLength: 84, maxLength: 84 }),
      cutoffs,
      async (paid, wallets, [one, other]) => {
        const payments = paid.map(({ by, block, amount }) => pay(by, block, amount))
        const total = payments
          .filter(({ blockNumber }) => blockNumber < END)
          .reduce((sum, { amount }) => sum + amount, 0n)
        const place = { ...blockOf(END), transaction: 0, txHash: 'failure', log: 99 }
        const failure = { ...place, pool: total / 2n, total }
        const chain = chainOf((name, block) => wallets[4 * block + name] ?? false)
        const leavesAt = async (last: number) => {
          const counted = payments.filter(({ blockNumber }) => blockNumber <= last)
          const known = { payments: counted, end: blockOf(END), failure: null }
          const leaves = refundLeaves(await refundAccounts(chain, known), { asset: USDC, failure })
          return new Map(leaves.map(({ donor, amount }) => [donor, BigInt(amount)]))
        }
        const later = await leavesAt(Math.max(one, other))
        for (const [donor, amount] of await leavesAt(Math.min(one, other))) {
          expect(later.get(donor) ?? 0n).toBeGreaterThanOrEqual(amount)
        }
      },
    ),
  )
})

test('a payment without a signer keeps its sender, and one of the zero address is left out', async () => {
  const chain = chainOf(() => false)
  const stateSync = { hash: 'sync', to: null, value: 0n, raw: { type: '0x7f' } }
  const source: typeof chain = {
    ...chain,
    blocksByHash: async () => [
      { number: 1, hash: hashOf(1), proof: 'transactions-root', transactions: [stateSync] },
    ],
  }
  const kept = { ...pay(1, 1), txHash: 'sync' }
  const payments = [kept, { ...kept, sender: ZERO }]
  expect(await refundAccounts(source, { payments, end: blockOf(END), failure: null })).toEqual([
    { ...kept, account: kept.sender },
  ])
  const signed = { ...pay(1, 1), sender: ZERO }
  const known = { payments: [signed], end: blockOf(END), failure: null }
  expect(await refundAccounts(chain, known)).toEqual([{ ...signed, account: signer(1) }])
})

test.each(['0x7f', '0x7b'])(
  'a type %s without a proof counts only if the proven receipt has such a type',
  async (type) => {
    const transactions = [{ hash: 'dust', to: null, value: 0n, raw: { type } }]
    const account = (receiptType: number | undefined) =>
      refundAccounts(
        {
          ...chainOf(() => false),
          blocksByHash: async (hashes) =>
            hashes.map((hash) => ({ number: 1, hash, proof: 'receipts-root', transactions })),
          receipts: async (blocks) =>
            new Map(
              receiptType === undefined
                ? []
                : blocks.map(({ hash }) => [hash, [{ txHash: 'dust', type: receiptType }]]),
            ),
        },
        { payments: [dust, { ...dust, sender: ZERO }], end: blockOf(END), failure: null },
      )
    const dust = { ...pay(1, 1), txHash: 'dust' }
    expect(await account(Number(type))).toEqual([{ ...dust, account: dust.sender }])
    for (const signed of [0, 2, undefined]) {
      await expect(account(signed)).rejects.toMatchObject({ code: 'transactions_unverified' })
    }
  },
)

/** Node 0 says that contract 0 is a wallet, node 1 that contract 1 is one. All say it of 2. */
const disagreeing = (node: number, isAbsent = false) =>
  serveRpc((method, [call]) => {
    if (method === 'eth_chainId') return '0x1'
    if (isAbsent) throw new RpcFault(-32000, 'missing trie node')
    const { data } = call as { data: string }
    return hashOf([node, 2].some((name) => donorProbe(contract(name)) === data) ? 1 : 0)
  })

test.each([
  { count: 2, absent: 'none' },
  { count: 3, absent: 'none' },
  { count: 3, absent: 0 },
  { count: 3, absent: 1 },
  { count: 3, absent: 2 },
])(
  'contracts that answer each of $count nodes differently are no wallets (absent: $absent)',
  async ({ count, absent }) => {
    const names = [0, 1, 2].slice(0, count)
    const servers = await Promise.all(names.map((name) => disagreeing(name, name === absent)))
    const client = clientOf({ urls: servers.map(({ url }) => url) })
    onTestFinished(async () => {
      await client.close()
      await Promise.all(servers.map((server) => server.close()))
    })
    const source = { ...chainOf(() => false), probeAt: client.probeAt }
    // Two blocks, so a node that differs in the first must not be distrusted for the second.
    for (const block of [1, END + 1]) {
      const payments = [0, 1, 2].map((name) => pay(name, block))
      const placed = await refundAccounts(source, { payments, end: blockOf(END), failure: null })
      expect(placed.map(({ account }) => account).sort()).toEqual([
        contract(2),
        signer(0),
        signer(1),
      ])
    }
    expect(client.nodes().map(({ state }) => state)).toEqual(servers.map(() => 'up'))
  },
)

test('a node that answers late still decides about a wallet', async () => {
  const others = Promise.withResolvers<void>()
  const answers = [
    async () => hashOf(1),
    async () => hashOf(0),
    () => others.promise.then(() => hashOf(1)),
  ]
  const servers = await Promise.all(
    answers.map((answer) => serveRpc((method) => (method === 'eth_chainId' ? '0x1' : answer()))),
  )
  // All waiting times are over at once.
  const timing = { nowMs: () => 0, sleep: async () => {}, random: () => 0 }
  const client = clientOf({ urls: servers.map(({ url }) => url), timing })
  onTestFinished(async () => {
    await client.close()
    await Promise.all(servers.map((server) => server.close()))
  })
  const asked = client.probeAt({ hash: hashOf(1), number: 1 }, [{ data: '0x' }])
  await expect.poll(() => servers[2]?.calls.map(({ method }) => method)).toContain('eth_call')
  others.resolve()
  expect(await asked).toEqual([hashOf(1)])
})

test('while an honest node is away, one node that lies does not decide who is no wallet', async () => {
  const answers = [hashOf(0), hashOf(1), hashOf(1)]
  const servers = await Promise.all(
    answers.map((answer) => serveRpc((method) => (method === 'eth_chainId' ? '0x1' : answer))),
  )
  const client = clientOf({ urls: servers.map(({ url }) => url) })
  onTestFinished(async () => {
    await client.close()
    await Promise.all(servers.map((server) => server.close()))
  })
  const [, , away] = servers
  if (!away) throw new Error('three nodes are needed')
  away.intercept = (_request, response) => {
    response.destroy()
    return true
  }
  const ask = () => client.probeAt({ hash: hashOf(1), number: 1 }, [{ data: '0x' }])
  expect(await codeOf(ask)).toBe('no_agreement')
  away.intercept = undefined
  await expect.poll(ask).toEqual([hashOf(1)])
})
