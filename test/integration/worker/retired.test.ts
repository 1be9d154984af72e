import { describe, expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { address, USDC_ASSET } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { recordDonation, recordIntent } from '../../support/donate.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { startProgram } from '../../support/program.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import {
  createContext,
  createTestCampaign,
  createUser,
  createWorld,
  TEST_CHAIN,
} from '../../support/world.ts'
import { createTestPages } from '../pages/support/test-pages.ts'

const DEAD_NODE = 'http://127.0.0.1:9'
const WITHOUT_TOKEN = { ...TEST_CHAIN, tokens: [] }
const [TOKEN_SETTINGS] = TEST_CHAIN.tokens
if (!TOKEN_SETTINGS) throw new Error('The test chain has a token.')
const RETIRED_TOKEN = { ...TEST_CHAIN, tokens: [{ ...TOKEN_SETTINGS, retired: true }] }
const RETIRED_CHAIN = { ...TEST_CHAIN, retired: true }

/** Starts the API or the worker with these chains, and waits until it ends. */
const startWith = async (script: string, databaseUrl: string, chain: object) => {
  const settings = {
    CHAINS: JSON.stringify([{ ...chain, name: 'test', rpc: [DEAD_NODE] }]),
    DEFAULT_CURRENCY: 'ETH',
  }
  const env = halfEnvironment({ databaseUrl, rpcUrl: DEAD_NODE, env: settings })
  return startProgram(script, env).ended
}

describe('settings without something that campaigns use', () => {
  test.for([
    ['a chain', { ...TEST_CHAIN, id: 5 }, 'chain 31337'],
    ['a token', WITHOUT_TOKEN, `USDC (${USDC_ASSET})`],
  ] as const)('start no API and no worker without %s', async ([, chain, name]) => {
    const { url, ctx } = await createWorld()
    const creator = await createUser(ctx)
    for (const account of [address('one'), address('two')]) {
      await createTestCampaign(ctx, { creator, account })
    }
    const ends = await Promise.all(
      ['src/commands/server.ts', 'worker/main.ts'].map((half) => startWith(half, url, chain)),
    )
    for (const { code, errors } of ends) {
      expect(code).toBe(1)
      expect(errors).toContain(`${name}, and the number of campaigns that use it is 2.`)
    }
  })

  test('count a campaign in another currency that waits for a donation in the token', async () => {
    const { url, ctx, as } = await createWorld()
    const creator = await createUser(ctx)
    const account = address('campaign')
    const campaignId = await createTestCampaign(ctx, { creator, account, currency: 'ETH' })
    await recordIntent(as(await createUser(ctx)), {
      campaignId,
      amount: { value: '5', currency: 'USDC' },
      donor: { walletAddress: address('donor') },
    })
    const { code, errors } = await startWith('worker/main.ts', url, WITHOUT_TOKEN)
    expect([code, errors]).toEqual([1, expect.stringContaining('that use it is 1.')])
  })
})

describe('what is retired in the settings', () => {
  test.for([
    ['token', RETIRED_TOKEN],
    ['chain', RETIRED_CHAIN],
  ] as const)('a %s takes no new campaign, draft that opens, or donation', async ([, chain]) => {
    const { ask, signIn, ctx } = await createTestPages({ chains: [chain] })
    const { token, userId } = await signIn()
    const campaignId = await createTestCampaign(ctx, {
      creator: { userId },
      account: address('campaign'),
    })
    const body = {
      title: 'Wells',
      description: 'Clean water',
      target_amount: 50,
      ledger_account: address('other'),
      milestones: [],
    }
    const donation = { campaignId, amount: { value: 5, currency: 'USDC' } }
    const refused = { status: 400, body: { code: 'unknown_currency' } }
    expect(await ask('POST', '/api/campaigns', { token, body })).toMatchObject(refused)
    const intent = { ...donation, donor: { walletAddress: address('donor') } }
    expect(await ask('POST', '/v1/donations', { token, body: intent })).toMatchObject(refused)
    const transaction = { txHash: `0x${'1'.repeat(64)}`, ledgerAddress: address('donor') }
    const sent = { ...donation, transaction }
    expect(await ask('POST', '/api/donations', { token, body: sent })).toMatchObject(refused)
    await ctx.sql`update campaign set status = 'draft' where id = ${campaignId}`
    const opening = { token, body: { status: 'active' } }
    const path = `/api/campaigns/${campaignId}`
    expect(await ask('PATCH', path, opening)).toMatchObject(refused)
    const { body: listed } = await ask('GET', '/api/chains')
    expect(JSON.stringify(listed.chains)).not.toContain('USDC')
  })

  test('a chain is shown, and its pages say that its campaigns take no donations', async () => {
    const { visit, signIn, ctx } = await createTestPages({ chains: [RETIRED_CHAIN] })
    const campaign = { creator: await signIn(), account: address('campaign') }
    const id = await createTestCampaign(ctx, campaign)
    await ctx.sql`update campaign set slug = 'clean-water' where id = ${id}`
    for (const path of ['/c/clean-water', '/c/clean-water/donate']) {
      const { status, html } = await visit(path)
      expect([status, html]).toEqual([
        200,
        expect.stringContaining('This campaign takes no donations now'),
      ])
    }
  })

  test('a token of a campaign in another currency leaves the other assets', async () => {
    const { visit, signIn, ctx } = await createTestPages({ chains: [RETIRED_TOKEN] })
    const campaign = { creator: await signIn(), account: address('campaign') }
    const id = await createTestCampaign(ctx, { ...campaign, currency: 'ETH' })
    await ctx.sql`update campaign set slug = 'clean-water' where id = ${id}`
    const { html } = await visit('/c/clean-water/donate')
    expect(html).toContain('"symbol":"ETH"'.replaceAll('"', '&quot;'))
    expect(html).not.toContain('"symbol":"USDC"'.replaceAll('"', '&quot;'))
  })

  test.skipIf(!hasAnvil).for([
    [
      'a donation from before is settled',
      'USDC',
      { status: 'completed', creditedAmount: '5000000' },
    ],
    [
      'a donation that names another currency takes no payment in a token',
      'ETH',
      { status: 'failed', reason: 'unknown_token', creditedAmount: null },
    ],
  ] as const)('%s', async ([, currency, ended]) => {
    const [chain, world] = await Promise.all([startTestChain(), createWorld()])
    const creator = await createUser(world.ctx)
    const account = address('campaign')
    const campaignId = await createTestCampaign(world.ctx, { creator, account })
    const owner = newId()
    const sync = (ctx: Context) => {
      const settings = { ...servedBy(chain.url), ...RETIRED_TOKEN }
      return syncChain({ ...createChainSync(ctx, settings), owner }, new AbortController().signal)
    }
    await sync(world.ctx)
    const signed = await chain.signToken(1, account, 5_000_000n)
    await recordDonation(world.as(creator), {
      campaignId,
      amount: { value: '5', currency },
      transaction: { txHash: signed.hash, ledgerAddress: signed.from },
    })
    const { ctx: retired } = await createContext(world.ctx.pool, { chains: [RETIRED_TOKEN] })
    await chain.send(signed)
    await chain.mine(5)
    await sync(retired)
    const donations = await retired.sql`select status, reason, credited_amount from donation`
    expect(donations).toMatchObject([ended])
  })
})
