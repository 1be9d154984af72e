import { describe, expect, test } from 'vitest'
import { refundRoot } from '../../../src/chain/escrow/merkle.ts'
import {
  findAccountRefunds,
  listDueEscrows,
  readDueRoot,
  storeRoot,
} from '../../../src/domain/escrow/refund/index.ts'
import { refundAccounts } from '../../../worker/chain/refund-accounts.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { createFailedWorld } from './support/refund-world.ts'

const OTHER_HASH = `0x${'22'.repeat(32)}`
const wallet = (index: number) => keyOf(index).address.toLowerCase()
const usdc = (index: number, amount: string) => ({ asset: TOKEN, donor: wallet(index), amount })

describe.skipIf(!hasAnvil)('a stored refund root', () => {
  test('is forgotten and computed again if a reorg takes its block away', async () => {
    const world = await createFailedWorld()
    const { root, dataHash } = await world.root()
    await world.ctx.sql`update refund_root set block_hash = ${OTHER_HASH}`
    await world.signRootAs(8, await world.root())
    await world.pay(2, 1n)
    await world.settle()
    const again = await world.root()
    expect(again.root).not.toBe(root)
    expect(again.dataHash).not.toBe(dataHash)
    expect(again.signatures).toEqual([])
  })

  test('is computed again if a reorg replaces its block with the same payments', async () => {
    const world = await createFailedWorld()
    await world.job.run()
    const { root } = await world.root()
    await world.ctx.sql`update refund_root set block_hash = ${OTHER_HASH}`
    await world.job.run()
    expect((await world.root()).root).toBe(root)
  })

  test('has its leaves also if others computed and proposed it first', async () => {
    const world = await createFailedWorld()
    const leaves = [usdc(1, '100'), usdc(2, '7')]
    leaves.sort((a, b) => (a.donor < b.donor ? -1 : 1))
    const root = await refundRoot(leaves)
    await world.pay(2, 7n)
    await world.proposeForeign(0, root)
    await world.settle()
    expect(await world.refunds()).toMatchObject({ root: { index: 0, root, leaves } })
    await world.waitForRoot()
    const { refunds } = await findAccountRefunds(world.ctx, world.campaignId, wallet(2))
    expect(refunds).toMatchObject([{ state: 'ready', claim: { cumulative: '7' } }])
  })

  test('has its leaves again after a reorg if it is proposed already', async () => {
    const world = await createFailedWorld()
    const { root, leaves } = await world.root()
    await world.propose()
    await world.ctx.sql`update refund_root set block_hash = ${OTHER_HASH}`
    await world.job.run()
    expect(await world.refunds()).toMatchObject({ root: { index: 0, root, leaves } })
  })

  test('is stored if its block was pruned meanwhile, and not if the block was reverted', async () => {
    const world = await createFailedWorld()
    const { ctx, sync } = world
    const { root } = await world.root()
    await world.forgetRoots()
    const [escrow] = await listDueEscrows(ctx, TEST_CHAIN.id)
    if (!escrow) throw new Error('No root is due.')
    const due = await readDueRoot(ctx, escrow)
    const accounts = await refundAccounts(sync.client, due)
    const { number } = due.block
    for (const block of [
      { number, hash: OTHER_HASH },
      { number: number + 99, hash: due.block.hash },
    ]) {
      await storeRoot(ctx, { ...due, block }, accounts)
      expect(await listDueEscrows(ctx, TEST_CHAIN.id)).toEqual([escrow])
    }
    await ctx.sql`delete from chain_block where number <= ${number}`
    await storeRoot(ctx, due, accounts)
    expect((await world.root()).root).toBe(root)
  })
})
