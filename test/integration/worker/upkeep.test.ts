import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { pruneBlocks } from '../../../src/domain/blocks/index.ts'
import { notify, pruneNotifications } from '../../../src/domain/people/index.ts'
import { createPruneJob } from '../../../worker/jobs/upkeep.ts'
import { address, startChain } from '../../support/chain-facts.ts'
import { startHalf } from '../../support/halves.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'
import { createPaymentsWorld } from '../chain/support/payments.ts'

test('old blocks are forgotten in batches, lowest first, until none is left', async () => {
  const { ctx } = await createWorld()
  await startChain(ctx)
  await ctx.sql`
    insert into chain_block (chain_id, number, hash, parent_hash, mined_at)
    select ${TEST_CHAIN.id}, number, ('hash ' || number)::bytea, ('hash ' || number - 1)::bytea,
           now()
    from generate_series(1000, 9999) as number`
  await ctx.sql`update chain_state set cursor_number = 9999, finalized_number = 8000`
  const lowest = async () =>
    (
      await ctx.sql<{ lowest: number }[]>`
      select min(number) as lowest from chain_block where number >= 1000`
    )[0]?.lowest
  expect(await pruneBlocks(ctx, 1_000)).toBe(1_000)
  expect(await lowest()).toBeLessThanOrEqual(2_000)
  await createPruneJob(ctx, { blocks: pruneBlocks }).run()
  expect(await lowest()).toBe(8_000 - 4_096)
})

test.each([
  ['by default', 365, {}],
  ['if the setting says so', 30, { NOTIFICATION_RETENTION_DAYS: '30' }],
])(
  'notifications are forgotten %s after %i days, read or not, and never earlier',
  async (_, days, env) => {
    const { retention } = loadConfig(env)
    const world = await createWorld({ settings: { retention } })
    const { userId } = await createUser(world.ctx)
    const values = { campaign: 'A well', amount: '1', currency: 'USDC' }
    await notify(world.ctx, [
      { userId, type: 'campaign_funded', values, data: { name: 'old' } },
      { userId, type: 'campaign_funded', values, data: { name: 'new' } },
    ])
    await world.ctx.sql`
    update notification set created_at = now() - ${days + 1} * interval '1 day' where data ->> 'name' = 'old'`
    await world.ctx.sql`
    update notification set created_at = now() - ${days - 1} * interval '1 day' where data ->> 'name' = 'new'`
    await createPruneJob(world.ctx, { notifications: pruneNotifications }).run()
    expect(await world.ctx.sql`select data from notification`).toEqual([{ data: { name: 'new' } }])
  },
)

describe.skipIf(!hasAnvil)('a line of the log', () => {
  test('names its chain once', async () => {
    const { chain, world, node, claim } = await createPaymentsWorld()
    const worker = await startHalf('worker', { databaseUrl: world.url, rpcUrl: node.url })
    await claim(
      await chain.send(await chain.signEther(1, address('campaign'), '1')),
      address('campaign'),
    )
    await chain.mine(3)
    await waitFor(
      'the donation to be settled',
      () => worker.lines.find((line) => line.includes('donations settled')),
      Boolean,
    )
    node.intercept = (_request, response) => {
      response.writeHead(500).end()
      return true
    }
    await waitFor(
      'the node to be missed',
      () => worker.lines.find((line) => line.includes('"state":"cooldown"')),
      Boolean,
    )
    const named = worker.lines.map((line) => [line, line.split('"chainId":').length - 1] as const)
    expect(named.filter(([, times]) => times > 1)).toEqual([])
    expect(named.filter(([line, times]) => /settled|cooldown/.test(line) && times !== 1)).toEqual(
      [],
    )
  })
})
