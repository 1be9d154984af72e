import { getCreateAddress } from 'ethers'
import { describe, expect, test } from 'vitest'
import { approveCall, cancelCall, donateCall, refundCall } from '../../../src/escrow/calls.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { createFollowedWorld, type FollowedWorld, RECIPIENT } from './support/followed-world.ts'
import { type ContractWallet, deployAccount, deploySafe } from './support/wallet-calls.ts'

const UNITS = 70_000_000n

/** A followed escrow, and a contract wallet with 70 USDC. */
const setUp = async (deployWallet: typeof deploySafe) => {
  const world = await createFollowedWorld()
  const wallet = await deployWallet(world.chain)
  await world.chain.send(await world.chain.signToken(1, wallet.address, UNITS))
  await world.mine(world.deploy())
  return { world, wallet }
}

const donationOf = ({ account }: FollowedWorld, { address }: ContractWallet) => [
  approveCall(TOKEN, account, UNITS),
  donateCall(account, { amount: UNITS, refundTo: address }),
]

describe.skipIf(!hasAnvil)('calls that contract wallets make to an escrow', () => {
  test.each([
    ['a Safe', deploySafe],
    ['an ERC-4337 bundle', deployAccount],
  ])('%s donates, releases a milestone and gets its refund', async (_, deployWallet) => {
    const { world, wallet } = await setUp(deployWallet)
    const gift = await wallet.send(...donationOf(world, wallet))
    await world.record({ ...gift, from: wallet.address }, '70')
    const release = await wallet.send(await world.releaseCall(0))
    await world.settle()
    expect(await world.state()).toEqual({
      campaign: 'funded',
      raised: '70000000',
      milestones: ['released', 'reached'],
      donations: ['completed'],
    })
    const events = await world.events()
    expect(events.find(({ type }) => type === 'milestone.released')?.data).toMatchObject({
      amount: { value: '30', currency: 'USDC' },
      transaction: { ledgerTxId: release.hash },
    })
    expect(await world.balanceOf(RECIPIENT)).toBe(30_000_000n)
    await world.mine(world.cancel())
    const refund = await wallet.send(refundCall(world.account, wallet.address))
    await world.settle()
    expect(await world.state()).toMatchObject({
      campaign: 'cancelled',
      raised: '30000000',
      donations: ['partly_refunded 40000000'],
    })
    const refunded = (await world.events()).find(({ type }) => type === 'donation.refunded')
    expect(refunded?.data).toMatchObject({ transaction: { ledgerTxId: refund.hash } })
    expect(await world.balanceOf(wallet.address)).toBe(40_000_000n)
    expect(await world.balances()).toEqual({
      ...{ custody: 0n, held: 0n },
      ...{ paid: 30_000_000n, released: 30_000_000n },
    })
  })

  test('one bundle donates and releases both milestones', async () => {
    const { world, wallet } = await setUp(deployAccount)
    const bundle = await wallet.send(
      ...donationOf(world, wallet),
      await world.releaseCall(0),
      await world.releaseCall(1),
    )
    await world.settle(world.record({ ...bundle, from: wallet.address }, '70'))
    expect(await world.state()).toEqual({
      campaign: 'completed',
      raised: '70000000',
      milestones: ['released', 'released'],
      donations: ['completed'],
    })
  })

  test('a Safe that is the recipient gets a milestone and cancels the rest', async () => {
    // The Safe will get this address, because it is the next contract of account 0.
    const address = getCreateAddress({ from: keyOf(0).address, nonce: 7 }).toLowerCase()
    const world = await createFollowedWorld({ terms: { recipient: address, creator: address } })
    const safe = await deploySafe(world.chain)
    expect(safe.address).toBe(address)
    await world.deploy()
    await world.mine(world.record(await world.pay(1, UNITS), '70'))
    await safe.send(await world.releaseCall(0))
    await safe.send(cancelCall(world.account))
    await world.settle()
    expect(await world.state()).toMatchObject({
      campaign: 'cancelled',
      milestones: ['released', 'reached'],
    })
    expect(await world.balanceOf(address)).toBe(30_000_000n)
    expect(await world.balances()).toMatchObject({ custody: 40_000_000n, paid: 30_000_000n })
  })

  test.each([
    ['a Safe', deploySafe],
    ['an ERC-4337 bundle', deployAccount],
  ])(
    'a release that fails within a transaction of %s releases nothing',
    async (_, deployWallet) => {
      const { world, wallet } = await setUp(deployWallet)
      const gift = await wallet.send(...donationOf(world, wallet))
      await world.record({ ...gift, from: wallet.address }, '70')
      const oneSigner = await world.releaseCall(0, 0, [0])
      const release = await wallet.send(oneSigner)
      await world.settle()
      const receipt = await world.chain.call('eth_getTransactionReceipt', [release.hash])
      expect(receipt).toMatchObject({ status: '0x1' })
      expect(await world.state()).toMatchObject({ milestones: ['reached', 'reached'] })
      expect(await world.balances()).toEqual({ custody: UNITS, held: UNITS })
    },
  )
})
