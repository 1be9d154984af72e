import { describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Database } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { advanceFinality, compareBooks, noteProblem } from '../../../src/domain/blocks/index.ts'
import { createEndpoint } from '../../../src/domain/events/index.ts'
import { queueMail } from '../../../src/domain/people/index.ts'
import { createCollectors, createDatabaseCollector } from '../../../src/domain/service/index.ts'
import { createSmtpTransport } from '../../../src/mail/index.ts'
import { createMetricsRegistry, type MetricsRegistry } from '../../../src/metrics/index.ts'
import { emit } from '../../../src/outbox/emit.ts'
import { createSendMailJob } from '../../../worker/jobs/send-mail.ts'
import { expectAlerts, expectStory, hasPromtool, seriesOf } from '../../support/alerts.ts'
import { applyBlock, blockHash, CHAIN_ID, startChain } from '../../support/chain-facts.ts'
import { passDatabaseTime } from '../../support/database-time.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { readSeries } from '../../support/metrics-scrape.ts'
import { startOwnPostgres } from '../../support/own-postgres.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createContext, createUser } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld } from '../donations/support/settled-world.ts'
import { startSmtpServer } from '../mail/support/smtp-server.ts'
import { createSealWorld } from '../seals/support/seal-world.ts'

/**
 * The metrics of a worker's collectors in the form of Prometheus. With `names`, only these
 * collectors.
 */
const registryOf = (ctx: Context, names?: string[]): MetricsRegistry => {
  const registry = createMetricsRegistry({ cacheMs: 0, limitMs: 30_000 })
  for (const collector of createCollectors(ctx)) {
    if (names?.includes(collector.name) ?? true) registry.collect(collector)
  }
  registry.collect(createDatabaseCollector(ctx.pool))
  return registry
}

const event = (userId: string) => ({
  type: 'user.verified' as const,
  data: { userId, verifiedAt: new Date(0).toISOString() },
  audience: [userId],
  campaignId: null,
})

const OF_WORKER = 'instance=worker job=fundproof'
const CHAIN = `chain=${CHAIN_ID}`

describe.skipIf(!hasPromtool)('with the metrics of a worker', () => {
  test('only the alert of the database fires while the database is away', async () => {
    const postgres = await startOwnPostgres()
    const pool = createDatabase({ url: postgres.url, max: 2 })
    onTestFinished(() => pool.end({ timeout: 1 }))
    const { ctx } = await createContext(pool)
    await startChain(ctx)
    await ctx.sql`update chain_state set updated_at = now()`
    await ctx.sql`update chain_block set mined_at = now()`
    const registry = registryOf(ctx)
    const well = await registry.text()
    await postgres.stop()
    const faulty = await registry.text()
    await postgres.restart()
    const mended = await waitFor('the metrics', () => registry.text(), isWhole)
    const away = `FundproofDatabaseAway collector=database ${OF_WORKER}`
    expectStory(well, faulty, mended, [away])
  })

  test('FundproofFeedWaits fires for a transaction of another role', async () => {
    const { ctx, clock, world } = await createSettledWorld()
    const { userId } = await createUser(ctx)
    const registry = registryOf(ctx)
    const well = await registry.text()
    const other = await openTransaction(world.url)
    await emit(ctx, [event(userId)])
    await relayEvents(ctx, { limit: 10 })
    clock.advance(90_000)
    const faulty = await registry.text()
    await other.end()
    expectStory(well, faulty, await registry.text(), ['FundproofFeedWaits'])
  })

  test('FundproofMailFailing fires while every mail fails, and not after mail was sent', async () => {
    let down = true
    const server = await startSmtpServer(() => (down ? '451 later' : '250 fine'))
    const { ctx, world } = await createSettledWorld()
    const registry = registryOf(ctx)
    const from = 'Fundproof <no-reply@fundproof.example>'
    const transport = createSmtpTransport({ url: server.url, from })
    onTestFinished(() => transport.close())
    const job = createSendMailJob({ ...ctx, metrics: registry }, transport)
    const run = async () => {
      await passDatabaseTime(world.ctx, 60_000)
      await job.run()
      return registry.text()
    }
    const begin = await registry.text()
    const values = { url: 'https://a.example/', reason: 'gone' } as const
    await queueMail(ctx, { to: 'a@b.example', lang: 'en', template: 'endpoint_disabled', values })
    const failures = [await run(), await run()]
    down = false
    const sent = await run()
    expect(server.messages).toHaveLength(1)
    expectStory(begin, failures[0] ?? '', sent, ['FundproofMailFailing'])
    const story = [begin, ...failures].map((text) => ({ text, minutes: 2 }))
    expectAlerts(seriesOf([...story, { text: sent, minutes: 30 }]), [
      { at: 34, ever: true, alerts: [] },
    ])
  })

  test('a chain that is halted or stalled, or that no worker follows, has an alert for each', async () => {
    const { ctx, clock } = await createSettledWorld()
    await applyBlock(ctx, 1, [])
    await ctx.sql`update chain_state set updated_at = now()`
    const registry = registryOf(ctx)
    const well = await registry.text()
    const other = { number: 1, hash: blockHash(1, 'other'), caughtUpAt: blockHash(1) }
    expect(await advanceFinality(ctx, CHAIN_ID, other)).toBe('contradicted')
    await noteProblem(ctx, CHAIN_ID, 'finality_stalled: block 0 is the newest final one')
    await ctx.sql`update chain_state set updated_at = now() - interval '3 minutes'`
    clock.advance(400_000)
    const faulty = await registry.text()
    await ctx.sql`update chain_state set updated_at = now(), halted_at = null, problem = null`
    clock.advance(-400_000)
    expectStory(well, faulty, await registry.text(), [
      `FundproofChainHalted ${CHAIN}`,
      `FundproofFinalityStalled ${CHAIN}`,
      `FundproofChainNotFollowed ${CHAIN}`,
      `FundproofNoHead ${CHAIN}`,
    ])
  })

  test('a disabled endpoint, and what waits too long, have an alert for each', async () => {
    const { ctx, clock, record, world } = await createSettledWorld()
    const owner = await createUser(ctx)
    const url = 'http://127.0.0.1:9000/'
    await createEndpoint(world.as(owner), { url, events: ['user.verified'] })
    const failing = await createEndpoint(world.as(owner), { url, events: ['campaign.updated'] })
    await ctx.sql`update chain_state set updated_at = now()`
    await relayEvents(ctx, { limit: 100 })
    const registry = registryOf(ctx)
    const well = await registry.text()
    await record('unsettled')
    await record('unchecked')
    await applyBlock(ctx, 1, [{ tx: 'unsettled', to: ACCOUNT, usdc: 10_000_000n }])
    await ctx.sql`update donation set reason = 'node_unavailable' where status = 'pending'`
    await emit(ctx, [event(owner.userId)])
    await relayEvents(ctx, { limit: 100 })
    await emit(ctx, [event(owner.userId)])
    await ctx.sql`update webhook_endpoint set status = 'disabled' where id = ${failing.id}`
    clock.advance(86_500_000)
    const faulty = await registry.text()
    await relayEvents(ctx, { limit: 100 })
    await ctx.sql`update webhook_delivery set status = 'delivered', next_attempt_at = null`
    await ctx.sql`update donation set status = 'failed', next_check_at = null`
    clock.advance(-86_500_000)
    expectStory(well, faulty, await registry.text(), [
      `FundproofDonationUnchecked ${CHAIN} reason=node_unavailable`,
      `FundproofDonationUnsettled ${CHAIN} reason=waiting_for_finality`,
      'FundproofEndpointDisabled',
      'FundproofEventsUnrelayed',
      'FundproofWebhookUndelivered',
      'FundproofWebhooksOverdue',
      `FundproofNoHead ${CHAIN}`,
    ])
  })

  test('an entry without a seal, and a wrong total, have an alert for each', async () => {
    const { ctx, clock, donate, seal } = await createSealWorld()
    const registry = registryOf(ctx)
    const now = () => ctx.sql`update chain_state set updated_at = now()`
    await now()
    await relayEvents(ctx, { limit: 100 })
    const well = await registry.text()
    await donate(['one'])
    await now()
    await ctx.sql`update campaign_total set raised = raised + 1`
    expect(await compareBooks(ctx, CHAIN_ID, null)).toBe(1)
    await relayEvents(ctx, { limit: 100 })
    clock.advance(301_000)
    const faulty = await registry.text()
    await ctx.sql`update campaign_total set raised = raised - 1`
    expect(await compareBooks(ctx, CHAIN_ID, null)).toBe(0)
    await seal()
    clock.advance(-301_000)
    expectStory(well, faulty, await registry.text(), [
      `FundproofLedgerDifference ${CHAIN}`,
      'FundproofSealsBehind',
    ])
  })
})

const isWhole = (text: string): boolean =>
  [...readSeries(text)].every(
    ([name, up]) => !name.startsWith('fundproof_collector_up') || up === 1,
  )

/** Opens a transaction of the database's owner that has written a row. */
const openTransaction = async (url: string): Promise<{ end(): Promise<void> }> => {
  const owner: Database = createDatabase({ url, max: 1, asAppRole: false })
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = owner.begin(async (sql) => {
    await sql`select pg_current_xact_id()`
    begun.resolve()
    await ended.promise
  })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await begun.promise
  return {
    async end() {
      ended.resolve()
      await transaction
    },
  }
}
