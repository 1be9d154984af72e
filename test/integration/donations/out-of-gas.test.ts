import { describe, expect, test } from 'vitest'
import { selectors } from '../../../contracts-abi/index.ts'
import { eventData } from '../../../src/outbox/events.ts'
import { encodeAddressAmount, hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { createPaymentsWorld, deploy } from '../chain/support/payments.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'

/** Creation code of a contract that loops without end: JUMPDEST, PUSH1 0, JUMP. */
const BURNER = '0x635b6000566000526004601cf3'

describe.skipIf(!hasAnvil)('a payment that runs out of gas', () => {
  test('as a transaction of its own fails with it, and says so when that is final', async () => {
    const { chain, follow, record, donations, raised, events, mineAndFollow } =
      await createChainWorld()
    await follow()
    const data = encodeAddressAmount(selectors.transfer, ACCOUNT, 5_000_000n)
    const good = await chain.send(await chain.sign(1, { to: TOKEN, data }))
    // This limit is enough to be mined, but too low for the transfer.
    const poor = await chain.send(await chain.sign(2, { to: TOKEN, data, gasLimit: 25_000n }))
    await record(poor)
    await record(good)
    await mineAndFollow()
    expect(await donations()).toEqual([
      ['confirming', 'transaction_reverted'],
      ['confirming', 'waiting_for_finality'],
    ])
    await mineAndFollow(2)
    expect(await donations()).toEqual([
      ['failed', 'transaction_reverted'],
      ['completed', 'completed'],
    ])
    expect(await raised()).toBe('5000000')
    expect((await events()).toSorted()).toEqual(['donation.completed', 'donation.failed'])
  })

  test('whose block a reorganisation takes away reopens its oldest claim, and an event says so', async () => {
    const { chain, ctx, follow, record, donations, events, mineAndFollow, lookUp } =
      await createChainWorld()
    await follow()
    const data = encodeAddressAmount(selectors.transfer, ACCOUNT, 5_000_000n)
    const poor = await chain.send(await chain.sign(2, { to: TOKEN, data, gasLimit: 25_000n }))
    const id = await record(poor)
    await mineAndFollow(3)
    expect(await events()).toEqual(['donation.failed'])
    // A failed claim does not block the transaction, so it can be claimed again. One claim at a
    // time may wait.
    await record(poor)
    await lookUp()
    await mineAndFollow()
    expect(await donations()).toEqual([
      ['failed', 'transaction_reverted'],
      ['failed', 'transaction_reverted'],
    ])
    await chain.reorg(4)
    await follow()
    expect(await donations()).toEqual([
      ['pending', 'waiting_for_transaction'],
      ['failed', 'transaction_reverted'],
    ])
    expect(await events()).toEqual(['donation.failed', 'donation.failed', 'donation.reopened'])
    const [written] = await ctx.sql<{ body: string; audience: string[]; campaignId: string }[]>`
      select event.body, audience, campaign_id from event where type = 'donation.reopened'`
    const [donation] = await ctx.sql<{ userId: string; campaignId: string; creatorId: string }[]>`
      select user_id, campaign_id, creator_id
      from donation join campaign on campaign.id = campaign_id where donation.id = ${id}`
    expect(written?.audience).toEqual([donation?.userId, donation?.creatorId])
    expect(written?.campaignId).toBe(donation?.campaignId)
    const envelope = JSON.parse(written?.body ?? '{}') as { data: unknown }
    expect(eventData['donation.reopened'].strict().parse(envelope.data)).toMatchObject({
      donationId: id,
      campaignId: donation?.campaignId,
      status: 'pending',
      transaction: { ledgerTxId: poor.hash },
      userId: donation?.userId,
    })
    await chain.send(poor)
    await mineAndFollow(3)
    expect((await donations())[0]).toEqual(['failed', 'transaction_reverted'])
    expect((await events()).slice(3)).toEqual(['donation.failed'])
  })

  test.each(['traces', 'no traces'] as const)(
    'inside a transaction that succeeds credits nothing (%s)',
    async (kind) => {
      const chain = await startTestChain()
      const made = await chain.send(await chain.sign(0, { data: BURNER }))
      await chain.mine()
      const receipt = await chain.call<{ contractAddress: string }>('eth_getTransactionReceipt', [
        made.hash,
      ])
      const account = receipt.contractAddress.toLowerCase()
      const world = await createPaymentsWorld(kind, { chain, accounts: [account] })
      const safe = await deploy(chain, 'safe', [chain.addressOf(1)], 100n)
      await world.follow()
      const paid = await safe.call(1, 'execTransaction', [account, 7n, '0x'])
      await world.claim(paid, account)
      await world.mineAndFollow(3)
      const outer = await chain.call<{ status: string; gasUsed: string }>(
        'eth_getTransactionReceipt',
        [paid.hash],
      )
      expect(outer.status).toBe('0x1')
      expect(Number(outer.gasUsed)).toBeGreaterThan(900_000)
      expect(await world.transfers()).toEqual([])
      expect(await world.donations()).toEqual([
        { status: 'failed', reason: 'wrong_recipient', amount: null },
      ])
    },
  )
})
