import { beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type Database, type Queryable } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { ListDifferences, listDifferences } from '../../../src/domain/blocks/index.ts'
import {
  ListCampaigns,
  ListImpact,
  ListUpdates,
  listCampaigns,
  listImpact,
  listUpdates,
} from '../../../src/domain/campaigns/index.ts'
import {
  ListDeposits,
  ListDonations,
  listDeposits,
  listDonations,
} from '../../../src/domain/donations/index.ts'
import { ListDeliveries, listDeliveries } from '../../../src/domain/events/index.ts'
import { ListNotifications, listNotifications } from '../../../src/domain/people/index.ts'
import { encodeCursor, type Page } from '../../../src/domain/shared/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { startChain, USDC_ASSET } from '../../support/chain-facts.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createContext } from '../../support/world.ts'
import { explaining, nodesOf, type PlanNode, rowsRead } from './support/plans.ts'

const ROWS = 100_000
const LIMIT = 100
/**
 * The limits of rows: a count may read 15 000, which includes a tenth that a filter skips, and a
 * page may sort twice its length.
 */
const MOST_READ = 15_000
const MOST_SORTED = 2 * LIMIT

const ACCOUNT = `0x${'c1'.repeat(20)}`
let ctx: Context
let pool: Database
let url: string
const [user, campaign, unpaid, endpoint] = [newId(), newId(), newId(), newId()]

/** Fills one user, campaign and endpoint with rows, so that each list has its maximal length. */
const fill = async (): Promise<void> => {
  const { sql } = ctx
  const at = (i: string) => sql.unsafe(`timestamptz '2026-01-01' + ${i} * interval '1 second'`)
  const rows = sql`generate_series(1, ${ROWS}::int) as i`
  const key = sql.unsafe(`md5(i::text)::uuid`)
  await startChain(ctx)
  await sql`
    insert into app_user (id, email, username, password_hash, lang, created_at)
    values (${user}, 'a@example.com', 'a', '', 'en', now())`
  await sql`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, opened_at, created_at, updated_at)
    values (${campaign}, ${user}, 'a', 'a', 'active', ${USDC_ASSET}, 1, 31337, ${ACCOUNT},
            '2025-01-01', '2025-01-01', now())`
  await sql`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, created_at, updated_at)
    select ${key}, ${user}, 'Wells',
           case when i % 1000 = 0 then 'rarely' else 'of place ' || i % 300 end,
           case when i % 10 = 0 then 'draft' else 'active' end,
           ${USDC_ASSET}, 1, 31337, bytes_of('0x' || substr(md5(i::text) || md5(i::text), 1, 40)),
           ${at('i')}, now()
    from ${rows}`
  await sql`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount,
                                block_number, block_hash, mined_at, seen_at)
    select ${key}, 31337, bytes_of('0x' || md5(i::text) || md5(i::text)), 0, ${USDC_ASSET},
           ${`0x${'d0'.repeat(20)}`}, ${ACCOUNT}, 1, i, '0x', ${at('i')}, now()
    from ${rows}`
  // Each hundredth donation failed, and its transfer is unclaimed.
  await sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, status, reason, transfer_id,
                          credited_amount, expires_at, created_at)
    select ${key}, ${user}, ${campaign}, 31337, bytes_of('0x' || md5(i::text) || md5(i::text)), ${ACCOUNT},
           ${USDC_ASSET}, 1, case when i % 100 = 0 then 'failed' else 'completed' end, 'completed',
           case when i % 100 > 0 then ${key} end, 1, now(), ${at('i')}
    from ${rows}`
  // Unpaid donations whose times are between those of the paid donations.
  await sql`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, created_at, updated_at)
    values (${unpaid}, ${user}, 'a', 'a', 'active', ${USDC_ASSET}, 1, 31337, ${`0x${'c2'.repeat(20)}`},
            '2025-01-02', now())`
  await sql`
    insert into donation (id, campaign_id, chain_id, tx_hash, ledger_address, declared_asset_id,
                          declared_amount, expires_at, created_at)
    select gen_random_uuid(), ${unpaid}, 31337, bytes_of('0x' || md5('u' || i) || md5(i::text)), ${ACCOUNT},
           ${USDC_ASSET}, 1, now(), ${at('40000')} + i * interval '1 microsecond'
    from ${rows}`
  await sql`insert into campaign_total (campaign_id, updated_at) select id, now() from campaign`
  await sql`
    insert into campaign_update (id, campaign_id, author_id, type, title, content, created_at)
    select ${key}, ${campaign}, ${user}, 'news', 'a', 'a', ${at('i')} from ${rows}`
  await sql`
    insert into impact_metrics (id, campaign_id, reporter_id, metrics, created_at)
    select ${key}, ${campaign}, ${user}, '[]', ${at('i')} from ${rows}`
  await sql`
    insert into notification (id, user_id, type, title, message, created_at, updated_at)
    select ${key}, ${user}, 'campaign_funded', 'a', 'a', ${at('i')}, now() from ${rows}`
  await sql`
    insert into ledger_difference (id, kind, chain_id, campaign_id, account, asset_id, block_number,
                                   first_block, expected, actual, note, opened_at, resolved_at)
    select ${key}, 'balance', 31337, ${campaign}, ${ACCOUNT}, ${USDC_ASSET}, i, i, 0, 1, 'a',
           ${at('i')}, now()
    from ${rows}`
  await sql`
    insert into webhook_endpoint (id, user_id, url, events, secret_sealed, created_at)
    values (${endpoint}, ${user}, 'https://example.com', '{donation.completed}', '', now())`
  await sql`
    insert into event (id, type, audience, packed, created_at)
    select ${key}, 'donation.completed', '{}', '{}', ${at('i')} from ${rows}`
  await sql`
    insert into webhook_delivery (id, event_id, endpoint_id, event_type, event_seq, status,
                                  created_at)
    select id, id, ${endpoint}, type, seq,
           case when seq % 100 = 0 then 'exhausted' else 'delivered' end, created_at
    from event`
}

beforeAll(async () => {
  const database = await createTestDatabase()
  url = database.url
  pool = createDatabase({ url, max: 2, name: 'test', asAppRole: false })
  ctx = (await createContext(pool, {})).ctx
  await fill()
  await pool`analyze`
  return async () => {
    await pool.end({ timeout: 1 })
    await database.drop()
  }
}, 300_000)

type Wish = Record<string, unknown>
const lists: Record<string, (ctx: Context, wish: Wish) => Promise<Page<unknown>>> = {
  campaigns: (ctx, wish) => listCampaigns(ctx, ListCampaigns.parse(wish)),
  deliveries: (ctx, wish) => listDeliveries(ctx, endpoint, ListDeliveries.parse(wish)),
  deposits: (ctx, wish) => listDeposits(ctx, campaign, ListDeposits.parse(wish)),
  differences: (ctx, wish) => listDifferences(ctx, ListDifferences.parse(wish)),
  donations: (ctx, wish) => listDonations(ctx, ListDonations.parse(wish)),
  impact: (ctx, wish) => listImpact(ctx, campaign, ListImpact.parse(wish)),
  notifications: (ctx, wish) => listNotifications(ctx, ListNotifications.parse(wish)),
  updates: (ctx, wish) => listUpdates(ctx, ListUpdates.parse(wish)),
}

const wishes: [name: keyof typeof lists, wish: Wish][] = [
  ['campaigns', {}],
  ['campaigns', { status: ['active'] }],
  ['campaigns', { status: ['active', 'draft', 'cancelled'] }],
  ['campaigns', { creator: 'me' }],
  ['campaigns', { sort: 'oldest' }],
  ['campaigns', { q: 'well' }],
  ['campaigns', { q: 'rare' }],
  ['campaigns', { q: 'w' }],
  ['deliveries', {}],
  ['deliveries', { status: ['delivered'] }],
  ['deliveries', { status: ['exhausted'] }],
  ['deliveries', { status: ['cancelled'] }],
  ['deliveries', { status: ['delivered', 'exhausted'] }],
  ['deliveries', { status: ['exhausted', 'cancelled'] }],
  ['deliveries', { event: 'donation.completed' }],
  ['deliveries', { event: 'donation.failed' }],
  ['deposits', { status: 'all' }],
  ['deposits', { status: 'claimed' }],
  ['differences', { status: 'all' }],
  ['donations', {}],
  ['donations', { campaignId: campaign }],
  ['donations', { userId: user }],
  ['donations', { status: ['completed'] }],
  ['donations', { status: ['failed'] }],
  ['donations', { status: ['expired'] }],
  ['donations', { status: ['failed', 'expired'] }],
  ['donations', { status: ['completed', 'failed', 'pending'] }],
  ['donations', { status: ['failed'], campaignId: campaign }],
  ['donations', { status: ['completed'], campaignId: unpaid }],
  ['impact', {}],
  ['notifications', {}],
  ['notifications', { status: ['unread', 'read'] }],
  ['updates', {}],
  ['updates', { campaignId: campaign }],
]

const DEEP = encodeCursor({ createdAt: new Date('2026-01-01T10:00:00Z'), id: newId() })

describe('of 100 000 rows a list reads an index in its order, no more than it counts and shows:', () => {
  test.each(wishes)('%s %o', async (name, wish) => {
    for (const place of [{}, { page: 99 }, { cursor: DEEP }]) {
      const plans: PlanNode[] = []
      const actor = { kind: 'user', userId: user, roles: [] } as const
      const begin = (work: (sql: Queryable) => unknown) =>
        pool.begin((sql) => work(explaining(sql, plans)))
      const sql = explaining(pool, plans)
      const asking = { ...ctx, actor, sql, pool: { ...pool, begin } as Database }
      await lists[name]?.(asking, { ...wish, ...place, limit: LIMIT })
      expect(plans.length).toBeGreaterThan(1)
      for (const node of plans.flatMap(nodesOf)) {
        const said = `${node['Node Type']} of ${node['Relation Name']}`
        if (node['Node Type'] === 'Seq Scan') expect(rowsRead(node), said).toBeLessThan(LIMIT)
        if (node['Node Type'].includes('Scan')) expect(rowsRead(node), said).toBeLessThan(MOST_READ)
        if (node['Node Type'].includes('Sort'))
          expect(rowsRead(node), said).toBeLessThan(MOST_SORTED)
      }
    }
  })
})

test('a search is planned for its own words, however many searches came before', async () => {
  const one = createDatabase({ url, max: 1, name: 'test', asAppRole: false })
  for (let count = 0; count < 10; count++) {
    const query = ListCampaigns.parse({ q: count % 2 === 0 ? 'place wells' : 'w place' })
    await listCampaigns({ ...ctx, sql: one, pool: one }, query)
  }
  const plans = await one<{ generic: number; custom: number }[]>`
    select generic_plans::int as generic, custom_plans::int as custom
    from pg_prepared_statements
    where statement like '%search @@%' and statement not like '%generic_plans%'`
  expect(plans.map(({ generic }) => generic)).toEqual(plans.map(() => 0))
  expect(plans.some(({ custom }) => custom === 10)).toBe(true)
  await one.end({ timeout: 1 })
})
