import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { recordIntent } from '../../support/donate.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { hasAnvil, type Signed, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'

const ACCOUNT = address('campaign')

const setUp = async () => {
  const chain = await startTestChain()
  const world = await createWorld()
  const { ctx } = world
  const [creator, donor] = [await createUser(ctx), await createUser(ctx)]
  const campaignId = await createTestCampaign(ctx, { creator, account: ACCOUNT })
  const sync = createChainSync(ctx, servedBy(chain.url))
  const checks = createCheckDonationsJob(sync)
  const follow = async () => {
    await syncChain(sync, new AbortController().signal)
    expect((await checkLedger(ctx.pool)).differences).toEqual([])
  }
  await follow()
  const intend = async (account: number, value: string, currency = 'USDC') =>
    (
      await recordIntent(world.as(donor), {
        campaignId,
        amount: { value, currency },
        donor: { walletAddress: chain.addressOf(account) },
      })
    ).id
  const claim = (signed: Signed) => recordGift(world.as(donor), campaignId, signed, '5')
  const read = (id: string) => getDonation(world.as(donor), id)
  /** Of the campaign's accounts in the ledger, in USDC's base units. */
  const custody = async () => {
    const [row] = await ctx.sql<{ amount: string }[]>`
      select coalesce(sum(case when debit.kind = 'custody' then amount else -amount end), 0)::text
        as amount
      from ledger_entry entry
      join ledger_account debit on debit.id = entry.debit_account
      join ledger_account credit on credit.id = entry.credit_account
      where 'custody' in (debit.kind, credit.kind) and entry.asset_id like '%erc20%'`
    return row?.amount
  }
  return { chain, ctx, checks, follow, intend, claim, read, custody }
}

describe.skipIf(!hasAnvil)('money that comes without its hash, on a real chain', () => {
  test('settles intents in tokens and in the own coin, and follows a reorganisation', async () => {
    const { chain, follow, intend, read, custody } = await setUp()
    const token = await intend(1, '5')
    const coin = await intend(2, '0.25', 'ETH')
    const paid = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await chain.send(await chain.signEther(2, ACCOUNT, '0.3'))
    await chain.mine()
    await follow()
    expect((await read(token)).transaction?.txHash).toBe(paid.hash)
    await chain.mine(2)
    await follow()
    expect(await read(token)).toMatchObject({ status: 'completed', payment: { state: 'exact' } })
    expect(await read(coin)).toMatchObject({
      status: 'completed',
      discrepancy: true,
      payment: { state: 'over', received: { value: '0.3', currency: 'ETH' } },
    })
    expect(await custody()).toBe('5000000')
    // The whole past goes; of the two payments only the token's comes back.
    await chain.reorg(3, [[paid, 1]])
    await follow()
    expect((await read(coin)).status).toBe('reversed')
    expect((await read(token)).status).not.toBe('reversed')
    await chain.mine(3)
    await follow()
    expect(await read(token)).toMatchObject({ status: 'completed' })
    expect(await read(coin)).toMatchObject({ status: 'reversed', transaction: null })
    expect(await custody()).toBe('5000000')
  })

  test('keeps what nobody announced as a deposit, which its sender can still record', async () => {
    const { chain, ctx, follow, checks, claim, read, custody } = await setUp()
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await chain.mine(3)
    await follow()
    expect(await custody()).toBe('5000000')
    const [before] = await ctx.sql<{ raised: string }[]>`select raised from campaign_total`
    expect(before?.raised).toBe('0')
    const id = await claim(signed)
    await checks.run()
    await follow()
    expect((await read(id)).status).toBe('completed')
    expect(await custody()).toBe('5000000')
    const [after] = await ctx.sql<{ raised: string }[]>`select raised from campaign_total`
    expect(after?.raised).toBe('5000000')
  })
})
