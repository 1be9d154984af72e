import { AbiCoder, keccak256 } from 'ethers'
import { describe, expect, test } from 'vitest'
import { compareBooks } from '../../../src/domain/blocks/index.ts'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { CHAIN_ID, USDC_ASSET } from '../../support/chain-facts.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { createFollowedWorld, type FollowedWorld } from '../escrow/support/followed-world.ts'

const THIEF = 4
const TRANSFER_FROM = '0x23b872dd'
/** The slot of the test token's allowances, a mapping by owner and then by spender. */
const ALLOWANCES = 2n

const encode = (types: string[], values: unknown[]) =>
  AbiCoder.defaultAbiCoder().encode(types, values)

/** Moves tokens out of an escrow by an allowance that no call of the escrow can create. */
const steal = async ({ chain, account, send }: FollowedWorld, units: bigint) => {
  const { address } = keyOf(THIEF)
  const ofOwner = keccak256(encode(['address', 'uint256'], [account, ALLOWANCES]))
  const slot = keccak256(encode(['address', 'bytes32'], [address, ofOwner]))
  await chain.call('anvil_setStorageAt', [TOKEN, slot, encode(['uint256'], [units])])
  const data = encode(['address', 'address', 'uint256'], [account, address, units])
  await send(THIEF, { to: TOKEN, data: TRANSFER_FROM + data.slice(2) })
}

/** An escrow with 40 USDC after a release, and a job that compares it with the chain. */
const setUp = async () => {
  const world = await createFollowedWorld()
  const job = createReconcileJob(world.sync, { everyMs: 0 })
  await world.mine(world.deploy())
  await world.record(await world.donate(1, 60_000_000n), '60')
  await world.settle(world.donate(2, 10_000_000n))
  await world.settle(world.release(0))
  return {
    world,
    reconcile: () => job.run(),
    differences: async () => [
      ...(await world.world.ctx.sql`
        select kind, campaign_id, account, asset_id, expected::text, actual::text, resolved_at
        from ledger_difference`),
    ],
  }
}

describe.skipIf(!hasAnvil)('the custody of an escrow', () => {
  test('differs from its balance if tokens leave it without an event of the escrow', async () => {
    const { world, reconcile, differences } = await setUp()
    const { account, campaignId } = world
    await reconcile()
    expect(await differences()).toEqual([])
    await steal(world, 5_000_000n)
    await world.mineAndFollow(3)
    await reconcile()
    expect(await differences()).toEqual([
      {
        ...{ kind: 'escrow', campaignId, account, assetId: USDC_ASSET, resolvedAt: null },
        ...{ expected: '40000000', actual: '35000000' },
      },
    ])
  })

  test('is compared at the block of the balance, without newer payments', async () => {
    const { world, reconcile, differences } = await setUp()
    await reconcile()
    await world.settle(world.pay(2, 5_000_000n))
    expect(await compareBooks(world.world.ctx, CHAIN_ID, null)).toBe(0)
    expect(await differences()).toEqual([])
  })
})

describe.skipIf(!hasAnvil)('the stored events of an escrow', () => {
  const event = (kind: string, set: string) =>
    `update escrow_event set ${set} where kind = '${kind}'`
  const field = (name: string, value: string) =>
    `fields = jsonb_set(fields, '{${name}}', '${value}')`

  test.each([
    ['amount', event('MilestoneReleased', field('amount', '"1"')), '1', '30000000'],
    ['evidence', event('MilestoneReleased', field('evidenceHash', '"0x"')), '30000000', '30000000'],
    ['donor', event('Donated', field('donor', '"0x"')), '60000000', '60000000'],
    ['kind', event('Activated', "kind = 'Refunded'"), '0', '0'],
    ['time', event('Activated', "mined_at = now() + interval '1 day'"), '0', '0'],
    ['block', event('Activated', 'block_number = 900'), '0', '0'],
    ['position', event('Activated', 'position = 900'), '0', '0'],
    ['transaction', event('MilestoneReleased', `tx_hash = '0x07'`), '30000000', '0'],
  ])('differ from their block by another %s', async (_what, change, expected, actual) => {
    const { world, reconcile, differences } = await setUp()
    await world.world.ctx.sql.unsafe(`${change} and id = (
      select id from escrow_event one where one.kind = escrow_event.kind
      order by block_number, position limit 1)`)
    await reconcile()
    const { account, campaignId } = world
    expect(await differences()).toContainEqual({
      ...{ kind: 'escrow_event', campaignId, account, assetId: USDC_ASSET, resolvedAt: null },
      ...{ expected, actual },
    })
  })
})
