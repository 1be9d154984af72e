import { describe, expect, test } from 'vitest'
import type { Header } from '../../../src/chain/index.ts'
import { findActiveBlocks } from '../../../src/chain/payments/active-blocks.ts'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deploy } from '../chain/support/payments.ts'
import { createReconciledWorld } from './support/world.ts'

const setUp = async () => {
  const chain = await startTestChain()
  const setup = await createReconciledWorld({ chain })
  const { client } = setup.sync
  const headers = async (): Promise<Header[]> => {
    const head = await chain.head()
    const numbers = Array.from({ length: head }, (_, index) => index + 1)
    return (await client.headers(numbers)).flatMap((header) => header ?? [])
  }
  return { ...setup, chain, client, headers }
}

const holds = (ranges: { from: number; to: number }[], block: number): boolean =>
  ranges.some(({ from, to }) => from <= block && block <= to)

describe.skipIf(!hasAnvil)('blocks that may hold native payments', () => {
  test('are few where little happens, and hold all that went in or out', async () => {
    const { chain, client, headers } = await setUp()
    const spender = chain.addressOf(6)
    const account = address('campaign')
    const router = await deploy(chain, 'router')
    const blocks: number[] = []
    await chain.mine(50)
    for (const move of [
      () => chain.signEther(1, account, '0.1'),
      () => chain.signEther(6, chain.addressOf(1), '0.1'),
      // This transfer fails, so it costs only gas.
      () => chain.signToken(6, chain.addressOf(1), 10n ** 30n),
    ]) {
      await chain.send(await move())
      blocks.push(await chain.mine(1))
      await chain.mine(60)
    }
    await router.call(1, 'forward', [account], 5n)
    blocks.push(await chain.mine(1))
    await chain.mine(60)
    const ranges = await findActiveBlocks(client, await headers(), [account, spender])
    expect(blocks.every((block) => holds(ranges, block))).toBe(true)
    expect(ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBeLessThanOrEqual(4 * 16)
    expect(await findActiveBlocks(client, await headers(), [address('unused')])).toEqual([])
  })

  test('contain an account whose balance has its old value again, because its nonce has changed', async () => {
    const { chain, client, headers } = await setUp()
    const spender = chain.addressOf(6)
    await chain.mine(20)
    const balance = BigInt(await chain.call<string>('eth_getBalance', [spender, 'latest']))
    await chain.send(await chain.signEther(6, chain.addressOf(1), '0.1'))
    const out = await chain.mine(1)
    const left = BigInt(await chain.call<string>('eth_getBalance', [spender, 'latest']))
    await chain.send(await chain.sign(1, { to: spender, value: balance - left }))
    await chain.mine(20)
    expect(BigInt(await chain.call<string>('eth_getBalance', [spender, 'latest']))).toBe(balance)
    expect(holds(await findActiveBlocks(client, await headers(), [spender]), out)).toBe(true)
  })

  test('are all of them for a contract, and where no node has proofs', async () => {
    const { chain, client, headers, node } = await setUp()
    const safe = await deploy(chain, 'safe', [chain.addressOf(3)])
    await chain.mine(30)
    const all = await headers()
    const everything = [{ from: 2, to: all.at(-1)?.number }]
    expect(await findActiveBlocks(client, all, [safe.address])).toEqual(everything)
    node.alter = (method, _params, result) => {
      if (method === 'eth_getProof') throw new Error('missing trie node')
      return result
    }
    expect(await findActiveBlocks(client, all, [address('unused')])).toEqual(everything)
  })
})
