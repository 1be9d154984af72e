import { describe, expect, test } from 'vitest'
import { recordIntent } from '../../support/donate.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'

const setUp = async () => {
  const world = await createChainWorld()
  const { chain, ctx, campaignId } = world
  await world.follow()
  return {
    ...world,
    intend: async (account: number, value: string, currency = 'USDC') => {
      const intent = await recordIntent(world.world.as(world.donor), {
        campaignId,
        amount: { value, currency },
        donor: { walletAddress: chain.addressOf(account) },
      })
      return intent.id
    },
    /** The USDC in custody, in base units. Fails if the books disagree. */
    custody: async () => {
      await world.raised()
      const [row] = await ctx.sql<{ amount: string }[]>`
        select coalesce(sum(case when debit.kind = 'custody' then amount else -amount end), 0)::text
          as amount
        from ledger_entry entry
        join ledger_account debit on debit.id = entry.debit_account
        join ledger_account credit on credit.id = entry.credit_account
        where 'custody' in (debit.kind, credit.kind) and entry.asset_id like '%erc20%'`
      return row?.amount
    },
  }
}

describe.skipIf(!hasAnvil)('money that comes without its hash, on a real chain', () => {
  test('settles intents in tokens and in the own coin, and follows a reorganisation', async () => {
    const { chain, follow, intend, read, custody, mineAndFollow, pay } = await setUp()
    const token = await intend(1, '5')
    const coin = await intend(2, '0.25', 'ETH')
    const paid = await pay(1)
    await chain.send(await chain.signEther(2, ACCOUNT, '0.3'))
    await mineAndFollow()
    expect((await read(token)).transaction?.txHash).toBe(paid.hash)
    await mineAndFollow(2)
    expect(await read(token)).toMatchObject({ status: 'completed', payment: { state: 'exact' } })
    expect(await read(coin)).toMatchObject({
      status: 'completed',
      discrepancy: true,
      payment: { state: 'over', received: { value: '0.3', currency: 'ETH' } },
    })
    expect(await custody()).toBe('5000000')
    // The reorg removes all three blocks. Only the payment in the token comes back.
    await chain.reorg(3, [[paid, 1]])
    await follow()
    expect((await read(coin)).status).toBe('reversed')
    expect((await read(token)).status).not.toBe('reversed')
    await mineAndFollow(3)
    expect(await read(token)).toMatchObject({ status: 'completed' })
    expect(await read(coin)).toMatchObject({ status: 'reversed', transaction: null })
    expect(await custody()).toBe('5000000')
  })

  test('keeps a payment without an intent as a deposit, which its sender can still record', async () => {
    const { ctx, follow, checks, record, read, custody, mineAndFollow, pay } = await setUp()
    const signed = await pay(1)
    await mineAndFollow(3)
    expect(await custody()).toBe('5000000')
    expect(await ctx.sql`select raised from campaign_total`).toEqual([{ raised: '0' }])
    const id = await record(signed)
    await checks.run()
    await follow()
    expect((await read(id)).status).toBe('completed')
    expect(await custody()).toBe('5000000')
    expect(await ctx.sql`select raised from campaign_total`).toEqual([{ raised: '5000000' }])
  })
})
