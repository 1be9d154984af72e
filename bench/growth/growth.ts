import postgres from 'postgres'
import type { Queryable } from '../../src/db/client.ts'
import { getCampaign, ListCampaigns, listCampaigns } from '../../src/domain/campaigns/index.ts'
import {
  getDonation,
  ListDeposits,
  ListDonations,
  listDeposits,
  listDonations,
  RecordDonation,
} from '../../src/domain/donations/index.ts'
import {
  BEGINNING,
  EventFilter,
  ListDeliveries,
  listDeliveries,
  readFeed,
} from '../../src/domain/events/index.ts'
import { ListNotifications, listNotifications } from '../../src/domain/people/index.ts'
import { encodeCursor } from '../../src/domain/shared/index.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { recordDonation } from '../../test/support/donate.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { startNode } from '../support/node-process.ts'
import type { Options } from '../support/options.ts'
import type { BenchServer } from '../support/server.ts'
import { median } from '../support/statistics.ts'
import { openWorld, SECRET } from '../support/world.ts'
import { measureSizes, measureWal, type Size } from './bytes.ts'
import { createDeployment, type Deployment } from './deployment.ts'

/** What is measured at one size. */
export type GrowthRun = {
  donations: number
  /** The milliseconds of each operation. */
  ms: Record<string, number>
  /** The bytes of each table and index for each donation. */
  sizes: Size[]
  /** The bytes of write-ahead log to settle, relay and deliver a donation. */
  wal: number
}
export type GrowthResult = GrowthRun[]

const SAMPLES = 21
const SETTLED = 4_900
/**
 * The number of measured passes. The first pass after a checkpoint is slower, because it writes
 * whole pages to the WAL.
 */
const PASSES = 5
const RECORDED = 200
const UNPAID = 300_000
const UNPAID_AT_ONCE = 30_000
const SEARCHED = 60_000
/** The check has this memory for objects at each size. */
const CHECK_MB = 64
/** A growing deployment is vacuumed after this number of donations, as autovacuum does. */
const VACUUM_EVERY = 100_000

/** Makes the same measurements on a small deployment, and again after it has grown. */
export const benchGrowth = async (
  server: BenchServer,
  cleanup: Cleanup,
  { sizes, campaigns }: Options,
): Promise<GrowthResult> => {
  const database = await server.createDatabase()
  const world = await openWorld(database.url)
  cleanup.add(() => world.close())
  const deployment = await createDeployment(world.ctx, campaigns)
  await world.ctx.sql`update webhook_endpoint set answered_at = now()`
  const result: GrowthResult = []
  let there = 0
  for (const donations of [...sizes].sort((a, b) => a - b)) {
    if (there === 0) {
      await deployment.settle(donations)
      await deployment.deliver()
      there = donations
    } else {
      while (there < donations) {
        there += await deployment.grow(Math.min(donations - there, VACUUM_EVERY))
        await server.analyze(database.url)
      }
    }
    console.error(`growth: ${there} donations`)
    await deployment.seal()
    console.error('growth: sealed')
    await server.analyze(database.url)
    await server.warm(database.url)
    await server.checkpoint()
    const sizes = await measureSizes(world.ctx.sql)
    const { ms, wal } = await measure(deployment)
    there += PASSES * SETTLED
    ms.check = await checkMs(server, cleanup, database.url)
    result.push({ donations, ms, sizes, wal })
    await removeUnpaid(database.url)
  }
  await world.close()
  await database.drop()
  return result
}

const measure = async (deployment: Deployment) => {
  const { creator, donor, campaignIds, endpointId } = deployment
  const ctx = { ...deployment.ctx, actor: { kind: 'anonymous' } as const }
  const asCreator = { ...ctx, actor: creator }
  const asDonor = { ...ctx, actor: donor }
  const [campaignId = ''] = campaignIds
  const page = (wish: object) => listDonations(ctx, ListDonations.parse(wish))
  const [middle] = await ctx.sql<{ id: string; createdAt: Date }[]>`
    select id, created_at from donation order by created_at
    offset (select count(*) / 2 from donation) limit 1`
  const { id = '', createdAt = new Date() } = middle ?? {}
  const cursor = encodeCursor({ createdAt, id })
  const feed = { after: BEGINNING, filter: EventFilter.parse({}), limit: 100 }
  const everything = { status: 'all' }
  const search = (q: string) => listCampaigns(ctx, ListCampaigns.parse({ q }))
  const unpaidId = await addUnpaid(deployment, campaignId)
  const ms = {
    'list donations: all': await timed(() => page({})),
    'list donations: one campaign': await timed(() => page({ campaignId })),
    'list donations: one user': await timed(() =>
      listDonations(asDonor, ListDonations.parse({ userId: donor.userId })),
    ),
    'list donations: failed': await timed(() => page({ status: ['failed'] })),
    'list donations: completed, of an unpaid campaign': await timed(() =>
      page({ campaignId: unpaidId, status: ['completed'] }),
    ),
    'search campaigns: short words': await timed(() => search('a of w')),
    'search campaigns: the beginning of a word': await timed(() => search('cam')),
    'list donations: from the middle': await timed(() => page({ cursor })),
    'list deposits': await timed(() =>
      listDeposits(asCreator, campaignId, ListDeposits.parse(everything)),
    ),
    'list notifications': await timed(() =>
      listNotifications(asCreator, ListNotifications.parse({})),
    ),
    'list deliveries': await timed(() =>
      listDeliveries(asCreator, endpointId, ListDeliveries.parse({})),
    ),
    'read a donation': await timed(() => getDonation(ctx, id)),
    'read a campaign': await timed(() => getCampaign(ctx, campaignId)),
    'read the feed': await timed(() => readFeed(asCreator, feed)),
    'record a donation': await timed(() => record(deployment, campaignId), RECORDED),
  }
  const settled: number[] = []
  const delivered: number[] = []
  const bytes = await measureWal(ctx.sql, async () => {
    for (let pass = 0; pass < PASSES; pass++) {
      settled.push(await deployment.settle(SETTLED))
      delivered.push(await deployment.deliver())
    }
  })
  return {
    ms: {
      ...ms,
      'settle 4 900 donations': median(settled),
      'relay and record 4 900 deliveries': median(delivered),
    } as Record<string, number>,
    wal: bytes / (PASSES * SETTLED),
  }
}

/**
 * Adds a campaign with UNPAID donations that are never paid. The first call also adds SEARCHED
 * campaigns, so that searches read the same number of campaigns at each size.
 */
const addUnpaid = async ({ ctx: { sql } }: Deployment, like: string): Promise<string> => {
  const [known] = await sql<{ id: string }[]>`select id from campaign where slug = 'unpaid'`
  const unpaidId = known?.id ?? newId()
  if (!known) await addSearched(sql, unpaidId, like)
  for (let first = 0; first < UNPAID; first += UNPAID_AT_ONCE) {
    await sql`
      insert into donation (id, campaign_id, chain_id, tx_hash, ledger_address, declared_asset_id,
                            declared_amount, status, expires_at, created_at)
      select gen_random_uuid(), id, chain_id, bytes_of('0x' || md5('unpaid' || i) || md5(i::text)),
             account, currency_id, 1, 'expired', now(), created_at
      from campaign, generate_series(${first + 1}::int, ${first + UNPAID_AT_ONCE}::int) i
      where id = ${unpaidId}`
  }
  return unpaidId
}

/**
 * Removes the unpaid donations and their space, so that they do not count in larger sizes. Leaves
 * out the checks of foreign keys, which would take minutes.
 */
const removeUnpaid = async (databaseUrl: string): Promise<void> => {
  const owner = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await owner`set session_replication_role = replica`
  await owner`
    delete from donation using campaign
    where campaign.id = donation.campaign_id and campaign.slug = 'unpaid'`
  await owner`vacuum (full) donation`
  await owner.end({ timeout: 1 })
}

/** Adds the unpaid campaign and others that a search can find. */
const addSearched = async (sql: Queryable, unpaidId: string, like: string): Promise<void> => {
  await sql`
    insert into campaign (id, creator_id, title, slug, description, status, currency_id,
                          target_amount, chain_id, account, opened_at, created_at, updated_at)
    select case when i = 0 then ${unpaidId}::uuid else gen_random_uuid() end, creator_id,
           'Campaign ' || i, case when i = 0 then 'unpaid' end, 'a of w' || md5(i::text),
           'active', currency_id, 1, chain_id, bytes_of('0x' || md5(i::text) || '00000000'), now(), now(), now()
    from campaign, generate_series(0, ${SEARCHED}::int) i where id = ${like}`
  await sql`
    insert into campaign_total (campaign_id, updated_at)
    select id, now() from campaign on conflict do nothing`
}

const record = ({ ctx, donor }: Deployment, campaignId: string) =>
  recordDonation(
    { ...ctx, actor: donor },
    RecordDonation.parse({
      campaignId,
      amount: { value: '1', currency: 'USDC' },
      transaction: {
        txHash: `0x${newId().replaceAll('-', '').repeat(2)}`,
        ledgerAddress: `0x${'ab'.repeat(20)}`,
      },
    }),
  )

/** The median duration of some calls, after a first call that does not count. */
const timed = async (work: () => Promise<unknown>, samples = SAMPLES): Promise<number> => {
  const times: number[] = []
  for (let sample = 0; sample <= samples; sample++) {
    const started = performance.now()
    await work()
    if (sample > 0) times.push(performance.now() - started)
  }
  return median(times)
}

/**
 * Runs `npm run check` in a process with little memory. Returns the milliseconds. Throws if the
 * check finds a difference.
 */
const checkMs = async (
  server: BenchServer,
  cleanup: Cleanup,
  databaseUrl: string,
): Promise<number> => {
  const started = performance.now()
  const check = startNode(server, cleanup, {
    script: 'src/commands/check.ts',
    nodeArgs: [`--max-old-space-size=${CHECK_MB}`],
    env: { DATABASE_URL: databaseUrl, SECRET },
  })
  if ((await check.ended) !== 0) check.assertRunning()
  return performance.now() - started
}
