import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Queryable } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { advanceFinality, noteProblem } from '../../../src/domain/blocks/index.ts'
import { createEndpoint } from '../../../src/domain/events/index.ts'
import { createCollectors } from '../../../src/domain/service/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit } from '../../../src/outbox/emit.ts'
import { applyBlock, blockHash, CHAIN_ID, minedAt } from '../../support/chain-facts.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { createUser } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld } from '../donations/support/settled-world.ts'
import { createSealWorld } from '../seals/support/seal-world.ts'

/** Reads a collector. Returns its values by metric and labels. */
const read = async (ctx: Context, name: string): Promise<Record<string, number>> => {
  const collector = createCollectors(ctx).find((one) => one.name === name)
  const samples = (await collector?.read()) ?? []
  return Object.fromEntries(
    samples.map(([metric, labels, value]) => [[metric, ...Object.values(labels)].join(' '), value]),
  )
}

test('counts the donations that wait, by what they wait for, with the age of the oldest', async () => {
  const { ctx, clock, record } = await createSettledWorld()
  await record('first')
  clock.advance(60_000)
  await record('second')
  await record('third')
  await applyBlock(ctx, 1, [{ tx: 'third', to: ACCOUNT, usdc: 10_000_000n }])
  clock.advance(30_000)
  expect(await read(ctx, 'donations')).toEqual({
    'fundproof_donations_open 31337 pending waiting_for_transaction': 2,
    'fundproof_donations_oldest_open_seconds 31337 pending waiting_for_transaction': 90,
    'fundproof_donations_open 31337 confirming waiting_for_finality': 1,
    'fundproof_donations_oldest_open_seconds 31337 confirming waiting_for_finality': 30,
  })
})

test('says where each chain stands, whichever worker follows it', async () => {
  const { ctx, clock } = await createSettledWorld()
  await applyBlock(ctx, 1, [])
  clock.set(new Date(minedAt(1).getTime() + 25_000))
  await ctx.sql`update chain_state set updated_at = now() - interval '1 hour'`
  expect(await read(ctx, 'chains')).toEqual({
    'fundproof_chain_cursor 31337': 1,
    'fundproof_chain_finalized 31337': 0,
    'fundproof_chain_cursor_age_seconds 31337': 25,
    'fundproof_chain_progress_age_seconds 31337': expect.closeTo(3_600, -2),
    'fundproof_chain_halted 31337': 0,
    'fundproof_finality_stalled 31337': 0,
    'fundproof_ledger_differences_open 31337': 0,
  })
  const other = { number: 1, hash: blockHash(1, 'other'), caughtUpAt: blockHash(1) }
  expect(await advanceFinality(ctx, CHAIN_ID, other)).toBe('contradicted')
  await noteProblem(ctx, CHAIN_ID, 'finality_stalled: block 0 is the newest final one')
  expect(await read(ctx, 'chains')).toMatchObject({
    'fundproof_chain_halted 31337': 1,
    'fundproof_finality_stalled 31337': 1,
  })
})

test('counts the entries of the ledger that no seal holds', async () => {
  const world = await createSealWorld()
  await world.donate(['one', 'two'])
  world.clock.advance(45_000)
  expect(await read(world.ctx, 'sealing')).toEqual({
    fundproof_ledger_unsealed_entries: 2,
    fundproof_ledger_oldest_unsealed_seconds: 45,
    fundproof_ledger_restored: 0,
  })
  await world.seal()
  expect(await read(world.ctx, 'sealing')).toEqual({
    fundproof_ledger_unsealed_entries: 0,
    fundproof_ledger_oldest_unsealed_seconds: 0,
    fundproof_ledger_restored: 0,
  })
})

test('tells what is to be delivered, what is late, and the endpoints', async () => {
  const { ctx, clock, world } = await createSettledWorld()
  const owner = await createUser(ctx)
  const endpointOf = (path: string) =>
    createEndpoint(world.as(owner), {
      url: `http://127.0.0.1:9000/${path}`,
      events: ['user.verified'],
    })
  const [failing, paused] = [await endpointOf('a'), await endpointOf('b')]
  await ctx.sql`update webhook_endpoint set status = 'paused' where id = ${paused.id}`
  const event = {
    type: 'user.verified' as const,
    data: { userId: owner.userId, verifiedAt: clock.now().toISOString() },
    audience: [owner.userId],
    campaignId: null,
  }
  await emit(ctx, [event])
  clock.advance(10_000)
  expect(await read(ctx, 'events')).toEqual({
    fundproof_events_unrelayed: 1,
    fundproof_events_oldest_unrelayed_seconds: 10,
    fundproof_feed_wait_seconds: 0,
  })
  await relayEvents(ctx, { limit: 10 })
  clock.advance(20_000)
  expect(await read(ctx, 'events')).toMatchObject({ fundproof_events_unrelayed: 0 })
  expect(await read(ctx, 'deliveries')).toEqual({
    fundproof_webhook_deliveries_pending: 1,
    fundproof_webhook_oldest_pending_seconds: 20,
    fundproof_webhook_overdue_seconds: 20,
  })
  // With the delivery leased, no delivery counts as overdue, because due deliveries wait for the
  // receiver.
  await ctx.sql`
    update webhook_delivery
    set lease = gen_random_uuid(), lease_until = now() + interval '10 s'`
  expect(await read(ctx, 'deliveries')).toMatchObject({ fundproof_webhook_overdue_seconds: 0 })
  // The delivery has failed once and waits for its next attempt, so it is pending but not overdue.
  const later = new Date(clock.now().getTime() + 300_000)
  await ctx.sql`update webhook_delivery set lease = null, next_attempt_at = ${later}`
  await ctx.sql`update webhook_endpoint set failing_since = now() where id = ${failing.id}`
  expect(await read(ctx, 'deliveries')).toMatchObject({
    fundproof_webhook_oldest_pending_seconds: 20,
    fundproof_webhook_overdue_seconds: 0,
  })
  expect(await read(ctx, 'endpoints')).toEqual({
    'fundproof_webhook_endpoints active': 1,
    'fundproof_webhook_endpoints paused': 1,
    'fundproof_webhook_endpoints disabled': 0,
    fundproof_webhook_endpoints_failing: 1,
  })
})

test('reads no table through of those that grow with what was given', async () => {
  const { ctx, world, donor, campaignId, record } = await createSettledWorld()
  const id = await record('model')
  const endpoint = newId()
  await ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, status, reason, expires_at, created_at)
    select gen_random_uuid(), user_id, campaign_id, chain_id,
           bytes_of('0x' || lpad(to_hex(n), 64, '0')), ledger_address, declared_asset_id, declared_amount,
           'failed', 'transaction_reverted', expires_at, created_at
    from donation, generate_series(1, 20000) n where id = ${id}`
  await ctx.sql`
    insert into webhook_endpoint (id, user_id, url, events, secret_sealed, created_at)
    values (${endpoint}, ${donor.userId}, 'http://127.0.0.1:9000/', '{user.verified}', 'none', now())`
  await ctx.sql`
    with made as (
      insert into event (id, type, campaign_id, audience, packed, created_at)
      select gen_random_uuid(), 'user.verified', ${campaignId}, '{}', '{}', now()
      from generate_series(1, 20000) returning id)
    insert into webhook_delivery (id, event_id, endpoint_id, event_type, event_seq, status, created_at)
    select gen_random_uuid(), id, ${endpoint}, 'user.verified', 0, 'delivered', now() from made`
  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`analyze`
  const reads = await owner.begin(async (sql) => {
    const before = await rowsRead(sql)
    for (const collector of createCollectors({ ...ctx, sql })) await collector.read()
    const after = await rowsRead(sql)
    return Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)])
  })
  expect(reads).toEqual([
    ['donation', 1],
    ['event', 0],
    ['ledger_entry', 0],
    ['webhook_delivery', 0],
  ])
})

/** Counts the rows of each table that this connection has read, by any kind of scan. */
const rowsRead = async (sql: Queryable): Promise<Record<string, number>> => {
  const rows = await sql<{ relname: string; rows: number }[]>`
    select relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables
    where relname in ('donation', 'event', 'ledger_entry', 'webhook_delivery') order by relname`
  return Object.fromEntries(rows.map(({ relname, rows }) => [relname, rows]))
}
