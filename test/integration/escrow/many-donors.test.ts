import { expect, test } from 'vitest'
import {
  type Refund,
  readRefundable,
} from '../../../src/domain/blocks/follow-escrow/read-refundable.ts'
import { advanceFinality } from '../../../src/domain/blocks/index.ts'
import { readEscrowState } from '../../../src/domain/campaigns/escrow/escrow-state.ts'
import { findAccountRefunds, listReturns } from '../../../src/domain/campaigns/index.ts'
import { listDonations } from '../../../src/domain/donations/index.ts'
import { PageQuery } from '../../../src/domain/shared/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { applyBlock, CHAIN_ID, startChain, USDC_ASSET } from '../../support/chain-facts.ts'
import { createTestCampaign, createUser, createWorld, TOKEN } from '../../support/world.ts'
import { explaining, nodesOf, type PlanNode, rowsRead } from '../lists/support/plans.ts'
import { SMALL_TERMS } from './support/small-terms.ts'

const DONORS = 2_000
const SOME = 100
const wallet = (name: number) => `0x${name.toString(16).padStart(40, '0')}`

/**
 * An escrow with a recorded donation of each donor, and a function that counts the rows that were
 * read.
 */
const setUp = async () => {
  const { ctx } = await createWorld()
  const { sql } = ctx
  const [creator, donor] = [await createUser(ctx), await createUser(ctx)]
  const account = `0x${'ab'.repeat(20)}`
  const campaignId = await createTestCampaign(ctx, { creator, account, target: '1' })
  await sql`insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${SMALL_TERMS})`
  const rows = Array.from({ length: DONORS }, (_, index) => ({
    ...{ id: newId(), gift: newId(), donation: newId() },
    seconds: index,
    ...{ hash: `0x${index.toString(16).padStart(64, '0')}`, wallet: wallet(index) },
  }))
  const given = sql`
    (select id, gift, donation, seconds, bytes_of(hash) as hash, wallet
     from jsonb_to_recordset(${sql.json(rows)})
       as row (id uuid, gift uuid, donation uuid, seconds int, hash text, wallet text)) row`
  await sql`
    insert into chain_transfer
      (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount, source, block_number,
       block_hash, mined_at, seen_at)
    select id, ${CHAIN_ID}, hash, 0, ${USDC_ASSET}, bytes_of(wallet), ${account}, 5, 'log', 1, '0x',
           now() + seconds * interval '1 second', now()
    from ${given}`
  await sql`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
       block_hash, mined_at, settled_at)
    select gift, ${CHAIN_ID}, ${account}, ${campaignId}, hash, 1, 'Donated',
           jsonb_build_object('donor', wallet, 'payer', wallet, 'amount', '5'), 1, '0x', now(),
           now()
    from ${given}`
  await sql`
    insert into donation
      (id, user_id, campaign_id, chain_id, tx_hash, ledger_address, declared_asset_id,
       declared_amount, status, reason, transfer_id, block_number, expires_at, created_at)
    select donation, ${donor.userId}, ${campaignId}, ${CHAIN_ID}, hash, bytes_of(wallet),
           ${USDC_ASSET}, 5, 'confirming', 'waiting_for_finality', id, 1, now(), now()
    from ${given}`
  const failed = { reason: 'closed', pool: '0', total: '0', recorded: '0', reasonHash: '0x' }
  await sql`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
       block_hash, mined_at, settled_at, counts)
    values (${newId()}, ${CHAIN_ID}, ${account}, ${campaignId}, 'failure', 1, 'Failed',
            ${sql.json(failed)}, 1, '0x', now(), now(), true)`
  await startChain(ctx)
  await applyBlock(ctx, 1, [])
  await advanceFinality(ctx, CHAIN_ID, { number: 1, hash: null })
  await sql`analyze`
  const plans: PlanNode[] = []
  return {
    ctx: { ...ctx, sql: explaining(ctx.pool, plans) },
    pool: ctx.pool,
    campaignId,
    rowsOf: (table: string) =>
      plans
        .flatMap(nodesOf)
        .filter((node) => node['Relation Name'] === table)
        .reduce((sum, node) => sum + rowsRead(node), 0),
  }
}

test('refunds of an escrow with many donors read each event once, and then those of the donors', async () => {
  const { ctx, pool, campaignId, rowsOf } = await setUp()
  const refunds = Array.from({ length: SOME }, (_, index) => ({
    id: newId(),
    fields: { donor: wallet(7 * index) },
  }))
  await pool`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
       block_hash, mined_at)
    select id, ${CHAIN_ID}, '0x', ${campaignId}, 'refund', row_number() over (), 'Refunded',
           fields, 1, '0x', now()
    from jsonb_to_recordset(${pool.json(refunds)}) as row (id uuid, fields jsonb)`
  expect(await readRefundable(ctx, refunds as Refund[])).toHaveLength(SOME)
  expect(rowsOf('escrow_event')).toBeLessThanOrEqual(DONORS + 9 * SOME)
})

test('a list of donations to an escrow with many donors reads one event for each donation', async () => {
  const { ctx, campaignId, rowsOf } = await setUp()
  const { items } = await listDonations(ctx, { campaignId, limit: SOME, page: 5 })
  expect(items).toHaveLength(SOME)
  expect(items.every(({ refund }) => refund === 'on_chain')).toBe(true)
  expect(rowsOf('escrow_event')).toBeLessThanOrEqual(SOME)
})

test('the state of an escrow with many donors is read without the donations', async () => {
  const { ctx, campaignId, rowsOf } = await setUp()
  const terms = { asset: TOKEN, milestones: [] }
  expect(await readEscrowState(ctx, { campaignId, terms } as never)).toMatchObject({
    state: 'failed',
  })
  expect(rowsOf('escrow_event')).toBe(1)
})

test('the refunds of one account are found without the donations of all others', async () => {
  const { ctx, pool, campaignId, rowsOf } = await setUp()
  await pool`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
       block_hash, mined_at, settled_at)
    select gen_random_uuid(), chain_id, account, campaign_id, tx_hash, 2, 'Refunded',
           fields || jsonb_build_object('asset', ${TOKEN}::text), 1, '0x', now(),
           now()
    from escrow_event where kind = 'Donated'`
  await pool`analyze escrow_event`
  const found = await findAccountRefunds(ctx, campaignId, wallet(SOME))
  expect(found.refunds).toMatchObject([{ state: 'done', refund: 'on_chain' }])
  expect((await findAccountRefunds(ctx, campaignId, wallet(DONORS))).refunds).toEqual([])
  // Each of the two calls reads all refunds once, to compute the state of the escrow.
  expect(rowsOf('escrow_event')).toBeLessThan(2 * DONORS + 9)
})

test('returns of an escrow with many donors read one event for each transfer', async () => {
  const { ctx, pool, campaignId, rowsOf } = await setUp()
  await pool`delete from escrow_event where kind = 'Donated' and fields ->> 'donor' = ${wallet(3)}`
  const { items } = await listReturns(ctx, campaignId, PageQuery.parse({}))
  expect(items).toMatchObject([{ amount: '5' }])
  expect(rowsOf('escrow_event')).toBeLessThan(3 * DONORS)
})

test('a transfer that a reorg took away leaves the donor of another one recorded', async () => {
  const { ctx, pool, campaignId } = await setUp()
  const hash = `0x${'0'.repeat(64)}`
  await pool`update escrow_event set position = 2 where tx_hash = ${hash}`
  await pool`
    insert into chain_transfer
      (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount, source, seen_at)
    select ${newId()}, chain_id, tx_hash, 1, asset_id, sender, recipient, amount, source, now()
    from chain_transfer where tx_hash = ${hash}`
  expect((await listReturns(ctx, campaignId, PageQuery.parse({}))).items).toEqual([])
})
