import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { createFollowedWorld, returnOf } from '../../integration/escrow/support/followed-world.ts'
import { priceBlock } from '../../support/test-feed.ts'
import { deploy, deployWallet, keyOf } from '../../support/test-wallets.ts'

const addressOf = (index: number): string => keyOf(index).address.toLowerCase()

export type EscrowScene = Awaited<ReturnType<typeof createEscrowScene>>

/**
 * A chain with an escrow that got donations, released a milestone, failed and paid refunds. The
 * service has followed the chain up to the first donations, and has not read the escrow's events.
 */
export const createEscrowScene = async () => {
  const world = await createFollowedWorld()
  const { chain } = world
  // A coinbase other than zero, because the reader accepts any miner if the header has none.
  await chain.call('anvil_setCoinbase', [`0x${'c1'.repeat(20)}`])
  const contract = await deploy(chain, testContracts.multicall.bytecode)
  const wallet = await deployWallet(chain, [1], 1)
  await world.deploy()
  await world.record(await world.pay(1, 60_000_000n), '60')
  await world.record(await world.pay(2, 10_000_000n), '10')
  await chain.send(await chain.signToken(3, contract, 3n))
  await world.settle()
  const followedTo = await chain.head()
  await world.donate(3, 5_000_000n)
  await world.release(0)
  await chain.mine()
  await world.reject(1)
  await chain.mine()
  const late = await world.pay(2, 5n)
  await world.cancel()
  await chain.mine()
  await world.refund(addressOf(3))
  await chain.mine()
  await world.returnTransfers(returnOf(late, addressOf(2), 5n))
  await chain.mine(4)
  return {
    ...world,
    followedTo,
    /** Senders of transfers: a contract wallet, a contract that is no wallet, and a key. */
    senders: { wallet, contract, key: addressOf(2) },
    newest: await priceBlock(chain, await chain.head()),
  }
}
