import { describe, expect, test } from 'vitest'
import { compareBooks, revertBlocks, saveBalances } from '../../../src/domain/blocks/index.ts'
import { createEndpoint } from '../../../src/domain/events/index.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  startChain,
  USDC_ASSET,
} from '../../support/chain-facts.ts'
import { parseCsv } from '../../support/csv.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { finalise } from '../../support/finalise.ts'
import { createTestCampaign } from '../../support/world.ts'
import { createTestApi, type TestApi } from '../http/support/api.ts'
import { twoUsersAndAdmin } from '../http/support/callers.ts'

const BIG = 123_456_789_012_345_678_901n

/**
 * Two creators with one campaign each, deposits on both campaigns, and an error in the second one.
 */
const setUp = async () => {
  const api = await createTestApi()
  const { ctx } = api
  const [one, two, admin] = await twoUsersAndAdmin(api)
  await startChain(ctx)
  const campaignOf = (caller: { userId: string }, name: string) =>
    createTestCampaign(ctx, { creator: caller, account: address(name) })
  const first = await campaignOf(one, 'first')
  const second = await campaignOf(two, 'second')
  await ctx.sql`update campaign set title = '=1+1, "quoted"' where id = ${first}`
  await applyBlock(ctx, 1, [
    { tx: 'a', to: address('first'), usdc: 5_000_000n },
    { tx: 'b', to: address('first'), wei: BIG },
    { tx: 'c', to: address('second'), usdc: 7_000_000n },
  ])
  await finalise(ctx, 1, blockHash(1))
  await ctx.sql`update campaign_total set raised = 3000000 where campaign_id = ${second}`
  const held = { account: address('first'), assetId: USDC_ASSET, balance: 2_500_000n, nonce: null }
  await saveBalances(ctx, CHAIN_ID, [{ ...held, blockNumber: 1, blockHash: blockHash(1) }])
  await compareBooks(ctx, CHAIN_ID, null)
  const report = (caller: { token: string }, query = '', headers: Record<string, string> = {}) =>
    api.ask('GET', `/api/reconciliation${query}`, { token: caller.token, headers })
  return { api, ctx, one, two, admin, first, second, report }
}

const idsOf = (body: Record<string, unknown>): unknown[] =>
  (body.campaigns as { campaignId: string }[]).map(({ campaignId }) => campaignId)

describe('the report', () => {
  test('puts chain, ledger and total side by side, exact, campaign by campaign', async () => {
    const { report, one, first } = await setUp()
    const answered = await report(one)
    expect(answered.status).toBe(200)
    expect(answered.body.campaigns).toMatchObject([
      {
        campaignId: first,
        chainId: CHAIN_ID,
        account: address('first'),
        currentAmount: { value: 0, currency: 'USDC' },
        openDifferences: 0,
        comparedBlock: null,
        assets: [
          {
            ...{ asset: USDC_ASSET, symbol: 'USDC', received: 5, balance: 2.5, balanceBlock: 1 },
            ...{ custody: 5, unclaimed: 5, credited: 0 },
          },
          { symbol: 'ETH', balance: null, balanceBlock: null },
        ],
      },
    ])
    expect(answered.text).toContain('"received":123.456789012345678901')
  })

  test('forgets the balance of a block that the chain has taken back', async () => {
    const { ctx, report, one } = await setUp()
    const [from, ancestor] = [1, 0].map((number) => ({ number, hash: blockHash(number) }))
    if (!from || !ancestor) throw new Error('no blocks')
    expect((await report(one)).text).toContain('"balance":2.5')
    await revertBlocks(ctx, { chainId: CHAIN_ID, from, ancestor })
    expect((await report(one)).text).not.toContain('"balance":2.5')
  })

  test('shows administrators everything, creators their own, and other callers nothing', async () => {
    const { api, report, one, two, admin, first, second } = await setUp()
    expect(idsOf((await report(admin)).body).toSorted()).toEqual([first, second].toSorted())
    expect(idsOf((await report(one)).body)).toEqual([first])
    expect(idsOf((await report(two, `?campaignId=${second}`)).body)).toEqual([second])
    expect((await report(two, `?campaignId=${first}`)).status).toBe(404)
    const stranger = await api.signIn()
    expect(idsOf((await report(stranger)).body)).toEqual([])
    expect((await api.ask('GET', '/api/reconciliation')).status).toBe(401)
    expect((await api.ask('GET', '/api/reconciliation/differences')).status).toBe(401)
  })

  test('comes as CSV by the query or by Accept, with the same rows', async () => {
    const { report, one, first } = await setUp()
    const byQuery = await report(one, '?format=csv')
    expect(byQuery.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(byQuery.headers.get('content-disposition')).toContain('reconciliation.csv')
    expect((await report(one, '', { accept: 'text/csv' })).text).toBe(byQuery.text)
    expect((await report(one, '?format=json', { accept: 'text/csv' })).body.success).toBe(true)
    expect((await report(one, '', { accept: 'application/json, text/csv' })).body.success).toBe(
      true,
    )

    const rows = parseCsv(byQuery.text)
    const [head, ...body] = rows
    expect(head?.slice(0, 5)).toEqual(['campaignId', 'title', 'chainId', 'account', 'asset'])
    expect(body).toHaveLength(2)
    const named = body.map((row) => Object.fromEntries(row.map((cell, at) => [head?.[at], cell])))
    expect(named[0]).toMatchObject({
      campaignId: first,
      title: '\'=1+1, "quoted"',
      received: '5',
      balance: '2.5',
      balanceBlock: '1',
      custody: '5',
      unclaimed: '5',
      credited: '0',
      currentAmount: '0',
      currency: 'USDC',
      openDifferences: '0',
      comparedBlock: '',
    })
    expect(named[1]).toMatchObject({
      symbol: 'ETH',
      received: '123.456789012345678901',
      balance: '',
    })
  })

  test('is paged', async () => {
    const { report, admin, first, second } = await setUp()
    const page = await report(admin, '?limit=1')
    expect(page.body.pagination).toMatchObject({ total: 2, pages: 2 })
    const cursor = (page.body.pagination as { nextCursor: string }).nextCursor
    const rest = await report(admin, `?limit=1&cursor=${cursor}`)
    expect([...idsOf(page.body), ...idsOf(rest.body)].toSorted()).toEqual(
      [first, second].toSorted(),
    )
    expect((await report(admin, '?cursor=nonsense')).body.code).toBe('invalid_cursor')
  })
})

describe('the list of differences', () => {
  const list = (api: TestApi, caller: { token: string }, query = '') =>
    api.ask('GET', `/api/reconciliation/differences${query}`, { token: caller.token })
  const kinds = (body: Record<string, unknown>) =>
    (body.differences as { kind: string }[]).map(({ kind }) => kind)

  test('names the difference to administrators and to the creator of the campaign', async () => {
    const { api, one, two, admin, first, second, report } = await setUp()
    expect((await list(api, admin)).body.differences).toMatchObject([
      {
        kind: 'current_amount',
        campaignId: second,
        chainId: CHAIN_ID,
        asset: USDC_ASSET,
        symbol: 'USDC',
        expected: 0,
        actual: 3,
        resolvedAt: null,
      },
    ])
    expect(kinds((await list(api, two)).body)).toEqual(['current_amount'])
    expect(kinds((await list(api, one)).body)).toEqual([])
    expect(kinds((await list(api, admin, `?campaignId=${first}`)).body)).toEqual([])
    expect((await report(two)).body.campaigns).toMatchObject([{ openDifferences: 1 }])
  })

  test('is announced only to endpoints of administrators that ask for it', async () => {
    const { api, ctx, two, admin, first } = await setUp()
    const events = ['reconciliation.difference' as const]
    const register = (caller: { userId: string }, roles: string[], named?: typeof events) =>
      createEndpoint(api.as({ kind: 'user', userId: caller.userId, roles }), {
        url: 'http://127.0.0.1:4321/hook',
        ...(named ? { events: named } : {}),
      })
    await register(admin, ['admin'])
    const asked = await register(admin, ['admin'], events)
    await register(two, [], events)
    await ctx.sql`update campaign_total set raised = 1 where campaign_id = ${first}`
    await compareBooks(ctx, CHAIN_ID, null)
    while ((await relayEvents(ctx, { limit: 100 })) > 0) {
      // Repeats until all events are relayed.
    }
    const deliveries = await ctx.sql`
      select delivery.endpoint_id from webhook_delivery delivery
      join event on event.id = delivery.event_id
      where event.type = 'reconciliation.difference' and event.campaign_id = ${first}`
    expect(deliveries).toEqual([{ endpointId: asked.id }])
  })

  test('keeps what was resolved', async () => {
    const { api, ctx, admin, second } = await setUp()
    await ctx.sql`update campaign_total set raised = 0 where campaign_id = ${second}`
    await compareBooks(ctx, CHAIN_ID, null)
    expect(kinds((await list(api, admin)).body)).toEqual([])
    expect(kinds((await list(api, admin, '?status=resolved')).body)).toEqual(['current_amount'])
    expect(kinds((await list(api, admin, '?status=all')).body)).toEqual(['current_amount'])
    expect((await list(api, admin, '?status=none')).status).toBe(400)
  })
})
