import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../src/domain/books/index.ts'
import { call, signUp } from '../support/api-user.ts'
import { address } from '../support/chain-facts.ts'
import { startHalf } from '../support/halves.ts'
import { startReceiver } from '../support/receiver.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWorld } from '../support/world.ts'

describe.skipIf(!hasAnvil)('two API processes and two workers on one database', () => {
  test('make one donation and one credit of a transaction that is posted 50 times at once by two users', async () => {
    const chain = await startTestChain()
    const world = await createWorld()
    const places = { databaseUrl: world.url, rpcUrl: chain.url }
    const [first, second] = await Promise.all([
      startHalf('api', places),
      startHalf('api', places),
      startHalf('worker', places),
      startHalf('worker', places),
    ])
    const creator = await signUp(first.port, 'creator')
    const donors = [await signUp(first.port, 'ada'), await signUp(second.port, 'ben')]
    const receiver = await startReceiver()
    const endpoint = await call(first.port, 'POST', '/api/webhooks', {
      token: creator.token,
      body: { url: receiver.url },
    })
    receiver.trust((endpoint.body.webhook as { secret: string }).secret)
    const account = address('campaign')
    const created = await call(second.port, 'POST', '/api/campaigns', {
      token: creator.token,
      body: {
        title: 'Wells',
        description: 'Clean water',
        target_amount: 5,
        ledger_account: account,
        milestones: [{ title: 'First', description: 'First well', amount: 5 }],
      },
    })
    expect(created.status).toBe(201)
    const campaignId = (created.body.campaign as { _id: string })._id
    // Block times are whole seconds. The pause makes the transfer later than the campaign's
    // opening.
    await chain.call('evm_increaseTime', [2])
    const signed = await chain.send(await chain.signToken(1, account, 5_000_000n))

    const posts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call(index % 2 ? first.port : second.port, 'POST', '/api/donations', {
          token: donors[index % 4 < 2 ? 0 : 1]?.token ?? '',
          body: {
            campaignId,
            amount: { value: 5, currency: 'USDC' },
            transaction: { txHash: signed.hash, ledgerAddress: signed.from },
          },
        }),
      ),
    )
    const count = (status: number) => posts.filter((post) => post.status === status).length
    expect(count(201)).toBe(1)
    expect(count(200) + count(409)).toBe(49)
    const ids = posts.flatMap(
      (post) => (post.body.donation as { id: string } | undefined)?.id ?? [],
    )
    expect(new Set(ids).size).toBe(1)
    for (const refused of posts.filter((post) => post.status === 409)) {
      expect(refused.body).toMatchObject({ success: false, code: 'transfer_already_claimed' })
    }

    await chain.mine(3)
    await waitFor(
      'the donation to complete',
      async () => (await call(first.port, 'GET', `/api/donations/${ids[0]}`)).body.status,
      (status) => status === 'completed',
    )
    const campaign = await call(second.port, 'GET', `/api/campaigns/${campaignId}`)
    expect(campaign.body).toMatchObject({ current_amount: 5, status: 'funded' })
    expect(await world.ctx.sql`select id from ledger_entry`).toHaveLength(1)
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
    const events = await waitFor('three webhooks', receiver.events, (all) => all.length === 3)
    expect(events.map((one) => one.event).sort()).toEqual([
      'campaign.funded',
      'campaign.milestone.reached',
      'donation.completed',
    ])
    expect(receiver.refused).toEqual([])
  })
})
