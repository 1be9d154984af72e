import { describe, expect, onTestFinished, test } from 'vitest'
import { followChain } from '../../../worker/chain/follow.ts'
import { address } from '../../support/chain-facts.ts'
import { createFollower } from '../../support/follower.ts'
import { type RpcServer, serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'

const ACCOUNT = address('campaign')
/** Its low byte is that of "0", which is what Node's own hex decoder reads. */
const NO_DIGIT = '\u0130'

type Json = Record<string, unknown>

/** A campaign whose chain is followed through three nodes, the first of which will lie. */
const setUp = async () => {
  const chain = await startTestChain()
  const serve = async (): Promise<RpcServer> => {
    const node = await serveRpc((method, params) => chain.call(method, params))
    onTestFinished(() => node.close())
    return node
  }
  const [liar, ...honest] = [await serve(), await serve(), await serve()] as const
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  await createTestCampaign(world.ctx, { creator, account: ACCOUNT, target: '1000' })
  const follower = createFollower(world.ctx, {
    ...TEST_CHAIN,
    name: 'test',
    rpc: [liar, ...honest].map((node) => node.url),
    startBlock: 0,
  })
  const follow = () => followChain(follower, new AbortController().signal)
  const seen = () => world.ctx.sql<{ asset: string; amount: string }[]>`
    select asset_id as asset, amount from chain_transfer`
  await follow()
  return { chain, liar, follower, follow, seen }
}

/** The digit zero at the end of a text, replaced by what is no digit. */
const disguised = (text: unknown): string => String(text).replace(/0(?=[^0]*$)/, NO_DIGIT)

describe.skipIf(!hasAnvil)('of three nodes, one that', () => {
  test.each([
    [
      'logsBloom of a header',
      'eth_getBlockBy',
      (block: Json) => ({ ...block, logsBloom: disguised(block.logsBloom) }),
    ],
    [
      'logsBloom of a receipt',
      'eth_getBlockReceipts',
      (receipts: Json[]) =>
        receipts.map((one) => ({ ...one, logsBloom: disguised(one.logsBloom) })),
    ],
    [
      'input of a transaction',
      'eth_getBlockBy',
      ({ transactions, ...block }: Json) => ({
        ...block,
        transactions: (transactions as (Json | string)[]).map((one) =>
          typeof one === 'string' ? one : { ...one, input: disguised(one.input) },
        ),
      }),
    ],
  ])(
    'writes a character that is no digit into the %s hides no payment, and is named',
    async (_, method, alter) => {
      const { chain, liar, follower, follow, seen } = await setUp()
      liar.alter = (called, _params, result) =>
        called.startsWith(method) && result ? alter(result as Json & Json[]) : result
      await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
      await chain.mine(4)
      await follow()
      expect(await seen()).toMatchObject([{ amount: '5000000' }])
      expect(follower.client.nodes()[0]).toMatchObject({
        state: 'disbelieved',
        reason: 'bad_response',
      })
    },
  )
})
