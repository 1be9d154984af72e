import { expect, test } from 'vitest'
import { noteUnseen, postponeChecks } from '../../../src/domain/blocks/index.ts'
import { postponeUnpriced } from '../../../src/domain/books/index.ts'
import { lockChainRow } from '../../../src/domain/shared/index.ts'
import { applyBlock, blockHash, CHAIN_ID } from '../../support/chain-facts.ts'
import { isLockAwaited, waitFor, waitForLock } from '../../support/wait-for.ts'
import { TEST_CHAIN } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld } from './support/settled-world.ts'

const FED_CHAIN = { ...TEST_CHAIN, feeds: [{ pair: 'ETH/USD' }] }

const setUp = async (currency = 'USDC') => {
  const world = await createSettledWorld({ currency, chains: [FED_CHAIN] })
  return {
    ...world,
    ids: [await world.record('first', '5'), await world.record('second', '5')] as const,
  }
}

for (const [name, note] of Object.entries({
  'not seen': noteUnseen,
  'put off': (...[ctx, ids]: Parameters<typeof noteUnseen>) =>
    postponeChecks(ctx, ids, 'node_unavailable'),
})) {
  test(`donations that are ${name} never wait in a circle with those that a block matches`, async () => {
    const { ctx, ids } = await setUp()
    const [first, second] = ids
    let isDone = false
    await ctx.pool.begin(async (sql) => {
      await sql`update donation set checks = 7 where id = ${second}`
      const noting = note(ctx, ids).finally(() => {
        isDone = true
      })
      noting.catch(() => {})
      const isMet = async () => isDone || (await isLockAwaited(ctx.pool))
      await waitFor('the other transaction', isMet, Boolean)
      await sql`update donation set checks = 7 where id = ${first}`
      await noting
    })
    expect(await ctx.sql`select checks from donation`).toEqual([{ checks: 7 }, { checks: 7 }])
  })
}

for (const [name, at] of [
  ['first', 0],
  ['second', 1],
] as const) {
  test(`donations without a price never wait in a circle with what undoes them, the ${name} one before`, async () => {
    const { ctx, ids } = await setUp('USD')
    const payments = ['first', 'second'].map((tx) => ({ tx, to: ACCOUNT, wei: 10n ** 18n }))
    await applyBlock(ctx, 1, payments)
    let postponing: Promise<void> | undefined
    await ctx.pool.begin(async (sql) => {
      await lockChainRow({ ...ctx, sql }, CHAIN_ID)
      await sql`update donation set checks = 7 where id = ${ids[at]}`
      const place = { pair: 'ETH/USD', blockNumber: 1, blockHash: blockHash(1) }
      const failure = { ...place, reason: 'price_stale' as const, why: 'a test says so' }
      postponing = postponeUnpriced(ctx, CHAIN_ID, [failure])
      postponing.catch(() => {})
      await waitForLock(ctx.pool)
      await sql`update donation set checks = 7 where id = ${ids[1 - at] ?? ''}`
    })
    await postponing
    expect(await ctx.sql`select checks from donation`).toEqual([{ checks: 8 }, { checks: 8 }])
  })
}
