import { describe, expect, onTestFinished, test } from 'vitest'
import { testToken } from '../../../contracts-abi/index.ts'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil, type TestChain } from '../../support/test-chain.ts'
import { deploy, keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { createRefundWorld } from './support/refund-world.ts'
import { deploySwitchedWallet } from './support/switched-wallet.ts'
import { mintTo, transferTo } from './support/token-calls.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()

/** An escrow, and a contract with 100 units of a token that is a wallet until it is switched. */
const setUp = async (secondToken?: (chain: TestChain) => Promise<string>) => {
  const world = await createRefundWorld(secondToken ? { secondToken } : {})
  const { chain, account } = world
  const contract = await deploySwitchedWallet(chain)
  await world.deploy()
  return {
    world,
    contract: contract.address,
    async fill(token: string) {
      await world.send(2, mintTo(contract.address, 100n, token))
      await chain.mine()
    },
    /** The key 2 lets the contract pay the escrow. */
    async pay(units: bigint, token = TOKEN) {
      await world.send(2, contract.through(transferTo(account, units, token)))
      await chain.mine()
    },
    async switchOff() {
      await world.send(2, contract.switchOff)
      await chain.mine()
    },
    /** The leaves of the root to sign. */
    async shares() {
      const { leaves } = await world.root()
      return Object.fromEntries(leaves.map(({ donor, amount }) => [donor, amount]))
    },
  }
}

describe.skipIf(!hasAnvil)('the account that gets a refund', () => {
  test('is the same in all roots, also if the sender is no wallet any more', async () => {
    const { world, contract, fill, pay, switchOff, shares } = await setUp()
    await fill(TOKEN)
    await world.pay(1, 30n)
    await pay(70n)
    await world.cancel()
    await world.settle()
    expect(await shares()).toEqual({ [wallet(1)]: '30', [contract]: '70' })
    await world.propose()
    await switchOff()
    await world.pay(3, 1n)
    await world.waitForRoot()
    expect(await shares()).toEqual({ [wallet(1)]: '30', [contract]: '70', [wallet(3)]: '1' })
  })

  test('depends on the block of a payment after the end', async () => {
    const { world, contract, fill, pay, switchOff, shares } = await setUp()
    await fill(TOKEN)
    await world.cancel()
    await world.chain.mine()
    await pay(50n)
    await switchOff()
    await pay(20n)
    await world.settle()
    expect(await shares()).toEqual({ [contract]: '50', [wallet(2)]: '20' })
  })

  test('depends on the block of the last release if the escrow is done', async () => {
    let token = ''
    const { world, contract, fill, pay, switchOff, shares } = await setUp(
      async (chain) => (token = await deploy(chain, testToken.bytecode)),
    )
    await fill(token)
    await pay(50n, token)
    await world.pay(1, 70_000_000n)
    await world.settle()
    for (const milestone of [0, 1]) await world.release(milestone)
    await world.chain.mine()
    await switchOff()
    await pay(20n, token)
    await world.settle()
    expect(await shares()).toEqual({ [contract]: '50', [wallet(2)]: '20' })
  })

  test('is the signer also if nodes have forgotten the transaction', async () => {
    const world = await createRefundWorld({
      through: async (chain) => {
        const node = await serveRpc((method, params) =>
          method === 'eth_getTransactionByHash' ? null : chain.call(method, params),
        )
        onTestFinished(() => node.close())
        return [node.url]
      },
    })
    await world.deploy()
    const router = await deploy(world.chain, testContracts.multicall.bytecode)
    await world.send(2, mintTo(router, 10n))
    await world.chain.mine()
    await world.batch(2, router, [transferTo(world.account, 10n)])
    await world.cancel()
    await world.settle()
    expect((await world.root()).leaves).toMatchObject([{ donor: wallet(2), amount: '10' }])
  })
})
