import { describe, expect, test } from 'vitest'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { asJson, type Layer } from '../../support/faults/fault.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { createFollowedWorld, RECIPIENT } from './support/followed-world.ts'

describe.skipIf(!hasAnvil)('following releases of an escrow', () => {
  test('credits money that arrived before the code, and books a release by a stranger', async () => {
    const world = await createFollowedWorld()
    const gift = await world.pay(1, 50_000_000n)
    await world.settle(world.record(gift, '50'))
    expect(await world.balances()).toEqual({ custody: 50_000_000n, held: 50_000_000n })
    await world.settle(world.deploy())
    await world.mine(world.record(await world.donate(2, 20_000_000n), '20'))
    await world.settle(world.release(0))
    expect(await world.balanceOf(RECIPIENT)).toBe(30_000_000n)
    expect(await world.state()).toMatchObject({
      campaign: 'funded',
      raised: '70000000',
      milestones: ['released', 'reached'],
    })
    expect(await world.balances()).toEqual({
      ...{ custody: 40_000_000n, held: 40_000_000n },
      ...{ released: 30_000_000n, paid: 30_000_000n },
    })
    const events = await world.events()
    expect(events.filter(({ type }) => type === 'milestone.released')).toMatchObject([
      {
        data: {
          amount: { value: '30', currency: 'USDC' },
          transaction: { ledgerTxId: expect.stringMatching(/^0x/) },
        },
      },
    ])
  })
  test('books them also if the node has deleted the states of final blocks', async () => {
    const world = await createFollowedWorld({
      async through({ url }) {
        const node = await startFaultProxy(url)
        node.set({ kind: 'custom', layer: onlyNewestState })
        return [node.url]
      },
    })
    await world.deploy()
    await world.mine(world.record(await world.pay(1, 70_000_000n), '70'))
    await world.settle(world.release(0))
    expect(await world.state()).toMatchObject({ milestones: ['released', 'reached'] })
  })
})

/** A node that proves accounts only at its newest block. */
const onlyNewestState: Layer = async (method, params, ask) => {
  if (method === 'eth_getProof') {
    const newest = asJson(await ask('eth_getBlockByNumber', ['latest', false]))
    const at = asJson(params[2])
    if (at?.blockHash !== newest?.hash) throw new RpcFault(-32000, 'missing trie node')
  }
  return ask(method, params)
}
