import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { readProgress } from '../../../src/domain/blocks/index.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getCampaign } from '../../../src/domain/campaigns/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { storeAssets } from '../../../src/domain/service/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createProveChainJob } from '../../../worker/jobs/prove-chain.ts'
import { address, ETH_ASSET, USDC_ASSET } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { recordIntent } from '../../support/donate.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { ROOT } from '../../support/program.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import {
  createContext,
  createTestCampaign,
  createUser,
  createWorld,
  TEST_CHAIN,
  TOKEN,
} from '../../support/world.ts'
import { nodeBefore } from '../chain/support/payments.ts'

/** Code that reverts every call. */
const REVERT = '0x60006000fd'
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`
const chainWith = (decimals: number) => ({
  ...TEST_CHAIN,
  tokens: TEST_CHAIN.tokens.map((token) => ({ ...token, decimals })),
})

/** The statements of docs/runbook/4-chains.md, with values in place of the variables of psql. */
const repairOf = (asset: string, before: number, after: number): string => {
  const page = readFileSync(join(ROOT, 'docs/runbook/4-chains.md'), 'utf8')
  const statements = /^UPDATE campaign SET[^`]*/m.exec(page)?.[0] ?? ''
  return statements
    .replaceAll(':asset', `'${asset}'`)
    .replaceAll(':old', String(before))
    .replaceAll(':new', String(after))
}

const POLLED = { id: TEST_CHAIN.id, pollIntervalMs: 100 }

describe.skipIf(!hasAnvil)('the decimals of a token', () => {
  test('are believed if a quorum says so, also if one node says something else', async () => {
    const [chain, { ctx }] = await Promise.all([startTestChain(), createWorld()])
    await ctx.sql`delete from asset`
    const nodes = await Promise.all([0, 1, 2].map(() => nodeBefore(chain, 'traces')))
    const [liar] = nodes
    if (!liar) throw new Error('no node')
    liar.alter = (method, _params, result) => (method === 'eth_call' ? word(18) : result)
    const sync = createChainSync(ctx, servedBy(...nodes.map(({ url }) => url)))
    await createProveChainJob(sync).run()
    expect(await ctx.sql`select id, decimals from asset order by id`).toEqual([
      { id: USDC_ASSET, decimals: 6 },
      { id: ETH_ASSET, decimals: 18 },
    ])
  })

  test.for([
    ['that are not a number', '0x'],
    ['above every number of decimals', `0x${'f'.repeat(64)}`],
  ] as const)('%s halt the chain', async ([, answer]) => {
    const [chain, { ctx }] = await Promise.all([startTestChain(), createWorld()])
    const node = await nodeBefore(chain, 'traces')
    node.alter = (method, _params, result) => (method === 'eth_call' ? answer : result)
    const job = createProveChainJob(createChainSync(ctx, servedBy(node.url)))
    await expect(job.run()).rejects.toThrow('Wrong setting: CHAINS gives USDC')
    expect(await readProgress(ctx, [POLLED])).toMatchObject([{ halted: true }])
  })

  test('are no longer needed once they are stored: a token that reverts stops nothing and is named', async () => {
    const [chain, { ctx }] = await Promise.all([startTestChain(), createWorld()])
    const lines: string[] = []
    const log = { ...ctx.log, error: (...said: unknown[]) => lines.push(JSON.stringify(said)) }
    const sync = createChainSync(
      { ...ctx, log: log as unknown as typeof ctx.log },
      servedBy(chain.url),
    )
    await chain.call('anvil_setCode', [TOKEN, REVERT])
    await createProveChainJob(sync).run()
    expect(lines).toEqual([expect.stringContaining(TOKEN)])
    expect(await readProgress(ctx, [POLLED])).toMatchObject([{ halted: false, problem: null }])
    await ctx.sql`delete from asset where id = ${USDC_ASSET}`
    await expect(createProveChainJob(sync).run()).rejects.toThrow(`USDC (${TOKEN})`)
  })

  test('of a retired token are not asked for once they are stored', async () => {
    const [chain, world] = await Promise.all([startTestChain(), createWorld()])
    const tokens = TEST_CHAIN.tokens.map((token) => ({ ...token, retired: true }))
    const { ctx } = await createContext(world.ctx.pool, { chains: [{ ...TEST_CHAIN, tokens }] })
    await chain.call('anvil_setCode', [TOKEN, '0x'])
    const sync = createChainSync(ctx, servedBy(chain.url))
    await createProveChainJob(sync).run()
    expect(await readProgress(ctx, [POLLED])).toMatchObject([{ halted: false, problem: null }])
    await ctx.sql`delete from asset where id = ${USDC_ASSET}`
    await expect(createProveChainJob(sync).run()).rejects.toThrow(`USDC (${TOKEN})`)
  })

  test('are not read where no node answers, and the error names the nodes, also without a database', async () => {
    const { ctx, url } = await createWorld()
    const closed = createDatabase({ url })
    await closed.end()
    const sync = createChainSync({ ...ctx, sql: closed }, servedBy('http://127.0.0.1:9'))
    await expect(createProveChainJob(sync).run()).rejects.toMatchObject({ code: 'transport' })
  })

  test('stay as they are stored while a campaign uses them, and the chain is halted', async () => {
    const [chain, { ctx }] = await Promise.all([startTestChain(), createWorld()])
    await ctx.sql`update asset set decimals = 18 where id = ${USDC_ASSET}`
    await createTestCampaign(ctx, { creator: await createUser(ctx), account: address('campaign') })
    const job = createProveChainJob(createChainSync(ctx, servedBy(chain.url)))
    await expect(job.run()).rejects.toThrow('The proven decimals are: ETH 18, USDC 6.')
    expect(await ctx.sql`select decimals from asset where id = ${USDC_ASSET}`).toEqual([
      { decimals: 18 },
    ])
    expect(await readProgress(ctx, [POLLED])).toMatchObject([
      { halted: true, problem: expect.stringContaining('Other rows use an asset') },
    ])
  })

  test('are not proven before the first block where no node answers, and the reason is stored', async () => {
    const { ctx } = await createWorld()
    const sync = createChainSync(ctx, servedBy('http://127.0.0.1:9'))
    await expect(createProveChainJob(sync).run()).rejects.toMatchObject({ code: 'transport' })
    expect(await readProgress(ctx, [POLLED])).toMatchObject([
      { halted: false, problem: expect.stringContaining('transport: ') },
    ])
  })

  test('that are wrong in one of two workers stop only this worker, which is named until they are right', async () => {
    const [chain, { ctx }] = await Promise.all([startTestChain(), createWorld()])
    const healthy = createChainSync(ctx, servedBy(chain.url))
    const follow = () => syncChain(healthy, new AbortController().signal)
    await follow()
    const metrics = createTestMetrics()
    const wrong = await createContext(ctx.pool, { chains: [chainWith(18)] })
    const sync = createChainSync({ ...wrong.ctx, metrics }, servedBy(chain.url))
    const said = () => [
      readProgress(ctx, [POLLED]).then(([is]) => [is?.halted, is?.problem]),
      metrics.value('fundproof_chain_settings_wrong', { chain: TEST_CHAIN.id }),
    ]
    const proveWrong = () => expect(createProveChainJob(sync).run()).rejects.toThrow('says 6')
    await proveWrong()
    const named = expect.stringMatching(
      /^Wrong setting: CHAINS gives USDC .* \(worker on .+, pid \d+\)$/,
    )
    expect(await Promise.all(said())).toEqual([[false, named], 1])
    await follow()
    expect(await Promise.all(said())).toEqual([[false, named], 1])
    // Makes the report of the problem so old that its worker counts as ended.
    await ctx.sql`update chain_state set settings_problem_at = now() - interval '61 s'`
    expect(await Promise.all(said())).toEqual([[false, null], 1])
    await proveWrong()
    expect(await Promise.all(said())).toEqual([[false, named], 1])
    await createProveChainJob({ ...sync, ctx: { ...ctx, metrics } }).run()
    expect(await Promise.all(said())).toEqual([[false, null], 0])
  })

  test('are corrected together with all others of a chain, or not at all', async () => {
    const { ctx } = await createWorld()
    await ctx.sql`update asset set decimals = 18 where id = ${USDC_ASSET}`
    const [native, usdc] = ctx.settings.assets.all
    if (!native || !usdc) throw new Error('no assets')
    const unknown = { ...native, id: 'other', kind: 'other' as 'native' }
    await expect(storeAssets(ctx.pool, [usdc, unknown])).rejects.toThrow('asset_kind')
    expect(await ctx.sql`select decimals from asset where id = ${USDC_ASSET}`).toEqual([
      { decimals: 18 },
    ])
  })

  test('are repaired by the documented statements, and amounts keep their words', async () => {
    const [chain, { ctx, url, as }] = await Promise.all([startTestChain(), createWorld()])
    const wrong = await createContext(ctx.pool, { chains: [chainWith(18)] })
    await ctx.sql`update asset set decimals = 18 where id = ${USDC_ASSET}`
    const creator = await createUser(ctx)
    const account = address('campaign')
    const input = { creator, account, target: '50', milestones: ['20', '30'] }
    const campaignId = await createTestCampaign(wrong.ctx, input)
    const { id } = await recordIntent(wrong.as(await createUser(ctx)), {
      campaignId,
      amount: { value: '5', currency: 'USDC' },
      donor: { walletAddress: address('donor') },
    })
    const owner = createDatabase({ url, asAppRole: false })
    onTestFinished(() => owner.end({ timeout: 1 }))
    await owner.begin((sql) => sql.unsafe(repairOf(USDC_ASSET, 18, 6)))
    await createProveChainJob(createChainSync(ctx, servedBy(chain.url))).run()
    expect(await getCampaign(ctx, campaignId)).toMatchObject({
      targetAmount: '50',
      milestones: [{ amount: '20' }, { amount: '30' }],
    })
    expect(await getDonation(as({ kind: 'system' }), id)).toMatchObject({
      amount: { value: '5', currency: 'USDC' },
    })
    expect((await checkLedger(ctx.pool)).differences).toEqual([])
  })
})
