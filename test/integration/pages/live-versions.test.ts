import { expect, test } from 'vitest'
import { campaignVersion, donationVersion } from '../../../src/domain/events/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { address, applyBlock, CHAIN_ID, txHash } from '../../support/chain-facts.ts'
import { ACCOUNT, createSettledWorld, DONOR } from '../donations/support/settled-world.ts'
import { explaining, nodesOf, type PlanNode, rowsRead } from '../lists/support/plans.ts'

const USDC = 1_000_000n

/** `look` returns which of the two versions have changed since the last look. */
const createObserved = async () => {
  const world = await createSettledWorld()
  const { ctx, campaignId } = world
  let known = { campaign: '', donation: '' }
  const look = async (donationId = newId()) => {
    const now = {
      campaign: await campaignVersion(ctx, campaignId),
      donation: await donationVersion(ctx, donationId),
    }
    const changed = {
      campaign: now.campaign !== known.campaign,
      donation: now.donation !== known.donation,
    }
    known = now
    return changed
  }
  return { ...world, look }
}

const BOTH = { campaign: true, donation: true }
const NONE = { campaign: false, donation: false }

test('follows a donation from its record to its reversal', async () => {
  const { ctx, look, record, finalise, undo } = await createObserved()
  await look()
  const id = await record('paid', '10')
  expect(await look(id)).toEqual(BOTH)
  expect(await look(id)).toEqual(NONE)
  await applyBlock(ctx, 1, [{ tx: 'paid', to: ACCOUNT, usdc: 10n * USDC }])
  expect(await look(id)).toEqual(BOTH)
  // The donation gets one more confirmation.
  await applyBlock(ctx, 2, [])
  expect(await look(id)).toEqual(BOTH)
  await finalise(1)
  expect(await look(id)).toEqual(BOTH)
  // A final donation shows no confirmations, so a further block changes no page.
  await applyBlock(ctx, 3, [])
  expect(await look(id)).toEqual(NONE)
  await undo(3, 0)
  expect(await look(id)).toEqual(BOTH)
})

test("sees words, milestones, updates, seals and the campaign's changes", async () => {
  const { ctx, campaignId, look, record } = await createObserved()
  const { sql } = ctx
  const id = await record('paid', '10')
  await look(id)
  await sql`update donation set donor_message = 'For Kitui' where id = ${id}`
  expect(await look(id)).toEqual(BOTH)
  await sql`update donation set donor_hidden = true where id = ${id}`
  expect(await look(id)).toEqual(BOTH)
  await sql`update campaign set status = 'cancelled', updated_at = now() where id = ${campaignId}`
  expect(await look(id)).toEqual(BOTH)
  const milestone = newId()
  await sql`
    insert into milestone (id, campaign_id, position, description, amount, cumulative)
    values (${milestone}, ${campaignId}, 0, 'Survey', 1, 1)`
  expect(await look(id)).toEqual({ campaign: true, donation: false })
  await sql`update milestone set status = 'rejected', verification_round = 1 where id = ${milestone}`
  expect(await look(id)).toEqual({ campaign: true, donation: false })
  const update = newId()
  await sql`
    insert into campaign_update (id, campaign_id, author_id, type, title, content, created_at)
    select ${update}, id, creator_id, 'progress', 'First well', 'Water', now() from campaign
    where id = ${campaignId}`
  expect(await look(id)).toEqual({ campaign: true, donation: false })
  await sql`update campaign_update set updated_at = now() where id = ${update}`
  expect(await look(id)).toEqual({ campaign: true, donation: false })
})

test('sees the seal and the proof of a donation', async () => {
  const { ctx, look, record, finalise } = await createObserved()
  const { sql } = ctx
  const id = await record('paid', '10')
  await applyBlock(ctx, 1, [{ tx: 'paid', to: ACCOUNT, usdc: 10n * USDC }])
  await finalise(1)
  await look(id)
  await sql`
    insert into donation_proof
      (donation_id, transfer_id, chain_id, block_hash, version, next_try_at, created_at)
    select donation.id, transfer.id, donation.chain_id, block_hash, 1, now(), now()
    from donation join chain_transfer transfer on transfer.id = transfer_id where donation.id = ${id}`
  expect(await look(id)).toEqual({ campaign: false, donation: true })
  await sql`update donation_proof set proof = '{}' where donation_id = ${id}`
  expect(await look(id)).toEqual(BOTH)
})

test('sees a chain that is halted, and the steps of an escrow, but none of its donations', async () => {
  const { ctx, campaignId, look, record } = await createObserved()
  const { sql } = ctx
  const id = await record('paid', '10')
  await look(id)
  await sql`update chain_state set halted_at = now()`
  expect(await look(id)).toEqual(BOTH)
  const happens = (kind: string, position: number) => sql`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number)
    values (${newId()}, 31337, ${ACCOUNT}, ${campaignId}, '0x', ${position}, ${kind}, '{}', 1)`
  await happens('Donated', 0)
  expect(await look(id)).toEqual(NONE)
  await happens('Activated', 1)
  expect(await look(id)).toEqual(BOTH)
  await sql`update escrow_event set settled_at = now() where kind = 'Activated'`
  expect(await look(id)).toEqual(BOTH)
})

test('sees the refund of its donor in a block and when it is final, but not those of others', async () => {
  const { ctx, campaignId, look, record } = await createObserved()
  const { sql } = ctx
  const id = await record('paid', '10')
  await applyBlock(ctx, 1, [{ tx: 'paid', to: ACCOUNT, from: DONOR, usdc: 10n * USDC }])
  const event = (kind: string, tx: string, position: number, fields: Record<string, string>) => sql`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number, counts)
    values (${newId()}, ${CHAIN_ID}, ${ACCOUNT}, ${campaignId}, ${txHash(tx)}, ${position}, ${kind},
            ${sql.json(fields)}, 2, true)`
  await event('Donated', 'paid', 1, { donor: DONOR })
  await look(id)
  await event('Refunded', 'others', 0, { donor: address('another donor') })
  await event('TransferReturned', 'others', 1, { transaction: txHash('another') })
  expect(await look(id)).toEqual(NONE)
  for (const [kind, fields] of [
    ['Refunded', { donor: DONOR }],
    ['TransferReturned', { transaction: txHash('paid') }],
  ] as const) {
    await event(kind, kind, 0, fields)
    expect(await look(id)).toEqual({ campaign: false, donation: true })
    await sql`update escrow_event set settled_at = now() where tx_hash = ${txHash(kind)}`
    expect(await look(id)).toEqual({ campaign: false, donation: true })
  }
})

test('reads few rows, however many donations a campaign has', async () => {
  const { ctx, campaignId, donor } = await createObserved()
  await ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, status, reason, expires_at, created_at)
    select md5(i::text)::uuid, ${donor.userId}, ${campaignId}, 31337,
           bytes_of('0x' || md5(i::text) || md5(i::text)), ${ACCOUNT}, currency_id, 1, 'confirming', 'x', now(),
           now() + i * interval '1 second'
    from campaign, generate_series(1, 20000) as i where campaign.id = ${campaignId}`
  await ctx.sql`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields)
    select md5(i::text)::uuid, 31337, ${ACCOUNT}, ${campaignId}, i::text::bytea, 0, 'Donated', '{}'
    from generate_series(1, 20000) as i`
  await ctx.sql`
    insert into escrow_event (id, chain_id, account, campaign_id, tx_hash, position, kind, fields,
                              block_number, counts, settled_at)
    select md5('refund ' || i)::uuid, 31337, ${ACCOUNT}, ${campaignId}, ('refund ' || i)::bytea, 0,
           'Refunded', '{}', i, true, now()
    from generate_series(1, 20000) as i`
  await ctx.sql.unsafe('analyze')
  const plans: PlanNode[] = []
  const counting = { ...ctx, sql: explaining(ctx.sql, plans) }
  await campaignVersion(counting, campaignId)
  await donationVersion(counting, String((await firstOf(ctx.sql)).id))
  expect(plans.length).toBeGreaterThanOrEqual(2)
  expect(Math.max(...plans.flatMap(nodesOf).map(rowsRead))).toBeLessThanOrEqual(40)
})

const firstOf = async (sql: Parameters<typeof explaining>[0]) => {
  const [row] = await sql<{ id: string }[]>`select id from donation limit 1`
  return row ?? { id: '' }
}
