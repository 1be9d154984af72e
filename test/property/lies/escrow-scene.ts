import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { returnTransfersCall } from '../../../src/chain/escrow/calls.ts'
import { returnsTypedData } from '../../../src/chain/escrow/typed-data.ts'
import {
  createFollowedWorld,
  type FollowedWorld,
} from '../../integration/escrow/support/followed-world.ts'
import { signWith } from '../../integration/milestones/support/verified-world.ts'
import { priceBlock } from '../../support/test-feed.ts'
import { deploy, deployWallet, keyOf } from '../../support/test-wallets.ts'
import { TEST_CHAIN } from '../../support/world.ts'

const addressOf = (index: number): string => keyOf(index).address.toLowerCase()

export type EscrowScene = Awaited<ReturnType<typeof createEscrowScene>>

/**
 * A chain with an escrow that got donations, released, failed and refunded. The service has
 * followed the chain up to the first donations, and has not read the escrow's events.
 */
export const createEscrowScene = async () => {
  const world = await createFollowedWorld()
  const { chain } = world
  // Not zero: the reader accepts any miner where the header has none.
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
  await returnTransfer(world, late.hash)
  await chain.mine(4)
  return {
    ...world,
    followedTo,
    /** Senders of transfers: a wallet, a contract that is none, and a key. */
    senders: { wallet, contract, key: addressOf(2) },
    newest: await priceBlock(chain, await chain.head()),
  }
}

/** The quorum pays a transfer of 5 units back. */
const returnTransfer = async (
  { chain, account, terms, send }: FollowedWorld,
  transaction: string,
): Promise<void> => {
  const receiver = addressOf(2)
  const list = [{ asset: terms.asset, receiver, amount: 5n, transaction, position: 0 }]
  const returns = { list, validUntil: terms.expiry }
  const data = returnsTypedData(
    { chainId: TEST_CHAIN.id, escrow: account, campaign: terms.campaign },
    returns,
  )
  const signatures = await Promise.all(
    [0, 1].map(async (verifier) => ({
      verifier,
      data: await signWith(keyWith(terms.verifiers[verifier]))(data),
    })),
  )
  const { hash } = await send(3, returnTransfersCall(account, { ...returns, signatures }))
  await chain.mine()
  const receipt = await chain.call<{ status: string }>('eth_getTransactionReceipt', [hash])
  if (receipt.status !== '0x1') throw new Error('The return failed.')
}

const keyWith = (address: string | undefined) => {
  const index = [0, 8, 9].find((index) => addressOf(index) === address)
  if (index === undefined) throw new Error(`No key for ${address}.`)
  return keyOf(index)
}
