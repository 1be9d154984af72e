import { describe, expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, type Signed, startTestChain } from '../../support/test-chain.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'
import { serveChain } from '../support/served-chain.ts'

/** A character whose low byte equals "0". Node's hex decoder reads only the low byte. */
const NO_DIGIT = '\u0130'

type Json = Record<string, unknown>

/** A campaign, and a sync that reads its chain from three nodes. The first node will lie. */
const setUp = async () => {
  const chain = await startTestChain()
  const nodes = [await serveChain(chain), await serveChain(chain), await serveChain(chain)] as const
  const world = await createChainWorld({ chain, rpc: nodes.map(({ url }) => url) })
  const seen = () => world.ctx.sql<{ asset: string; amount: string }[]>`
    select asset_id as asset, amount from chain_transfer`
  await world.follow()
  return { ...world, liar: nodes[0], seen }
}

/** Replaces the last digit 0 of a text by a character that is no digit. */
const disguised = (text: unknown): string => String(text).replace(/0(?=[^0]*$)/, NO_DIGIT)

/** Writes the same number with so many leading zeros that it has more than 256 bits. */
const padded = (quantity: unknown): string =>
  `0x${'0'.repeat(65)}${String(quantity).replace(/^0x/, '')}`

/** Changes the transactions of a block, if the block has full transactions. */
const withTransactions =
  (change: (transaction: Json) => Json) =>
  ({ transactions, ...block }: Json): Json => ({
    ...block,
    transactions: (transactions as (Json | string)[]).map((one) =>
      typeof one === 'string' ? one : change(one),
    ),
  })

const BLOCK = 'eth_getBlockBy'
const RECEIPTS = 'eth_getBlockReceipts'

type Lie = readonly [what: string, method: string, alter: (result: Json & Json[]) => unknown]

const CHARACTERS: readonly Lie[] = [
  [
    'the logsBloom of a header',
    BLOCK,
    (block) => ({ ...block, logsBloom: disguised(block.logsBloom) }),
  ],
  [
    'the logsBloom of a receipt',
    RECEIPTS,
    (receipts) => receipts.map((one) => ({ ...one, logsBloom: disguised(one.logsBloom) })),
  ],
  [
    'the input of a transaction',
    BLOCK,
    withTransactions((one) => ({ ...one, input: disguised(one.input) })),
  ],
]

const PADDING: readonly Lie[] = ['r', 's', 'v', 'gasPrice', 'nonce', 'value'].map((name) => [
  name,
  BLOCK,
  withTransactions((one) => ({ ...one, [name]: padded(one[name]) })),
])

describe.skipIf(!hasAnvil)('of three nodes, one that', () => {
  const expectPayment = async (
    { chain, liar, sync, mineAndFollow, seen }: Awaited<ReturnType<typeof setUp>>,
    [, method, alter]: Lie,
    payment: Signed,
    amount: string,
  ) => {
    liar.alter = (called, _params, result) =>
      called.startsWith(method) && result ? alter(result as Json & Json[]) : result
    await chain.send(payment)
    await mineAndFollow(4)
    expect(await seen()).toMatchObject([{ amount }])
    expect(sync.client.nodes()[0]).toMatchObject({
      state: 'distrusted',
      reason: 'bad_response',
    })
  }

  test.each(CHARACTERS)(
    'writes a character that is no digit into %s hides no payment, and is named',
    async (...lie) => {
      const world = await setUp()
      const payment = await world.chain.signToken(1, ACCOUNT, 5_000_000n)
      await expectPayment(world, lie, payment, '5000000')
    },
  )

  test.each(PADDING)(
    'pads %s of a transaction beyond 256 bits does not stop the chain, and is named',
    async (...lie) => {
      const world = await setUp()
      const payment = await world.chain.signEther(1, ACCOUNT, '1')
      await expectPayment(world, lie, payment, '1000000000000000000')
    },
  )

  test.each(['no address', null, 7, address('another')])(
    'calls %j the sender does not stop the chain, where a claimed payment has to be looked for',
    async (from) => {
      const { chain, liar, record, statuses, mineAndFollow } = await setUp()
      const alter = withTransactions((one) => ({ ...one, from }))
      liar.alter = (called, _params, result) =>
        called.startsWith(BLOCK) && result ? alter(result as Json) : result
      const gift = await chain.send(await chain.signEther(1, address('another'), '1'))
      await record(gift, { value: '1', currency: 'ETH' })
      await mineAndFollow(4)
      expect(await statuses()).toEqual(['failed'])
    },
  )

  test.each<Lie>([
    [
      'shows the hashes of transactions alone',
      BLOCK,
      ({ transactions, ...block }) => ({
        ...block,
        transactions: (transactions as (Json | string)[]).map((one) =>
          typeof one === 'string' ? one : one.hash,
        ),
      }),
    ],
    [
      'gives a transaction an unknown type',
      BLOCK,
      withTransactions((one) => ({ ...one, type: '0x55' })),
    ],
  ])('%s is named once another node proves the block', async (...[, method, alter]) => {
    const { chain, liar, sync, seen, mineAndFollow } = await setUp()
    liar.alter = (called, _params, result) =>
      called.startsWith(method) && result ? alter(result as Json & Json[]) : result
    await chain.send(await chain.signEther(1, ACCOUNT, '1'))
    await mineAndFollow(4)
    expect(await seen()).toMatchObject([{ amount: '1000000000000000000' }])
    expect(sync.client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'unverified' })
  })
})
