import { describe, expect, test } from 'vitest'
import { listDueEvents } from '../../../src/domain/blocks/follow-escrow/due-events.ts'
import { recordEscrowEvents } from '../../../src/domain/blocks/follow-escrow/record-events.ts'
import {
  advanceFinality,
  listUnprovenEscrows,
  settleBatch,
} from '../../../src/domain/blocks/index.ts'
import { escrowAddress } from '../../../src/escrow/address.ts'
import { packTerms, unpackTerms } from '../../../src/escrow/terms.ts'
import {
  applyBlock,
  blockHash,
  CHAIN_ID,
  minedAt,
  startChain,
  txHash,
} from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { campaignBody } from '../http/support/api.ts'
import { explaining, nodesOf, type PlanNode, rowsRead } from '../lists/support/plans.ts'
import {
  type CampaignAnswer,
  createPlanningWorld,
  type PlanningWorld,
  startFactoryChain,
} from './support/planned.ts'

const campaignIn = (body: Record<string, unknown>) => body.campaign as CampaignAnswer

test.skipIf(!hasAnvil)('the account of an escrow never serves a plain campaign', async () => {
  const chain = await startFactoryChain()
  const world = await createPlanningWorld({ chain })
  const { token } = world.creator
  const { _id, ledger_account } = campaignIn((await world.create()).body)
  await world.ask('PATCH', `/api/campaigns/${_id}`, { token, body: { status: 'cancelled' } })
  const create = (status: string) =>
    world.ask('POST', '/api/campaigns', { token, body: campaignBody({ ledger_account, status }) })
  expect((await create('active')).body).toMatchObject({ code: 'account_in_use' })
  const draft = campaignIn((await create('draft')).body)
  const path = `/api/campaigns/${draft._id}`
  expect(
    (await world.ask('PATCH', path, { token, body: { status: 'active' } })).body,
  ).toMatchObject({ code: 'account_in_use' })
})

test.skipIf(!hasAnvil)(
  'a plain campaign does not open with the escrow of a draft, which can still open',
  async () => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain })
    const { token } = world.creator
    const { _id, ledger_account } = campaignIn((await world.create({}, { status: 'draft' })).body)
    const body = campaignBody({ ledger_account })
    const plain = await world.ask('POST', '/api/campaigns', { token, body })
    expect([plain.status, plain.body.code]).toEqual([409, 'account_in_use'])
    const path = `/api/campaigns/${_id}`
    expect((await world.ask('PATCH', path, { token, body: { status: 'active' } })).status).toBe(200)
  },
)

/** Records events of an escrow in block 1, as the worker does. */
const recordEvents = ({ ctx }: PlanningWorld, account: string, count = 1) =>
  recordEscrowEvents(
    ctx,
    CHAIN_ID,
    Array.from({ length: count }, (_, index) => ({
      kind: 'Failed',
      fields: { reason: 'terminated', pool: '0', total: '0', recorded: '0', reasonHash: '0x' },
      ...{ txHash: txHash(`event ${index}`), position: 0, account: account.toLowerCase() },
      ...{ blockNumber: 1, blockHash: blockHash(1), minedAt: minedAt(1) },
    })),
  )

const createDraft = async () => {
  const chain = await startFactoryChain()
  const world = await createPlanningWorld({ chain, clock: createFakeClock(minedAt(1)) })
  const draft = campaignIn((await world.create({}, { status: 'draft' })).body)
  await recordEvents(world, draft.ledger_account)
  await world.ctx.sql`update campaign_escrow set code_proven_at = now()`
  const ask = (method: 'PATCH' | 'DELETE', body?: object) =>
    world.ask(method, `/api/campaigns/${draft._id}`, { token: world.creator.token, body })
  return { world, draft, ask }
}

describe.skipIf(!hasAnvil)('a draft whose escrow has events', () => {
  test('leaves them behind with the terms that it changes', async () => {
    const { world, ask } = await createDraft()
    const milestones = [{ description: 'Dig', amount: 2_000 }]
    const changed = await ask('PATCH', { target_amount: 2_000, milestones, status: 'active' })
    expect(changed.status).toBe(200)
    expect(await world.ctx.sql`select from escrow_event`).toHaveLength(0)
    expect(await world.ctx.sql`select code_proven_at from campaign_escrow`).toEqual([
      { codeProvenAt: null },
    ])
  })

  test('gets an address with each change that no person could know before', async () => {
    const { world, draft, ask } = await createDraft()
    const changeTo = async (target_amount: number) => {
      const milestones = [{ description: 'Dig', amount: target_amount }]
      const { body } = await ask('PATCH', { target_amount, milestones })
      return campaignIn(body).ledger_account
    }
    const expected = {
      ...unpackTerms(draft.escrow.packed),
      target: 2_000_000_000n,
      milestones: [{ amount: 2_000_000_000n, required: 1 }],
    }
    const changed = await changeTo(2_000)
    expect(changed.toLowerCase()).not.toBe(escrowAddress(packTerms(expected)))
    await recordEvents(world, changed)
    // The first address may have got events while the service did not watch it, so the draft gets
    // a new address.
    const again = await changeTo(1_000)
    expect([draft.ledger_account, changed]).not.toContain(again)
    expect(await world.ctx.sql`select from escrow_event`).toHaveLength(0)
    expect(await changeTo(1_000)).toBe(again)
  })

  test('is followed when it opens', async () => {
    const { world, ask } = await createDraft()
    const { ctx } = world
    await startChain(ctx)
    await applyBlock(ctx, 1, [])
    await advanceFinality(ctx, CHAIN_ID, { number: 1, hash: null })
    expect(await settleBatch(ctx, CHAIN_ID)).toBe(0)
    expect((await ask('PATCH', { status: 'active' })).status).toBe(200)
    expect(await settleBatch(ctx, CHAIN_ID)).toBe(1)
    expect(await ctx.sql`select status from campaign`).toEqual([{ status: 'failed' }])
  })

  test('does not slow down the passes, however many events there are', async () => {
    const { world, draft } = await createDraft()
    await recordEvents(world, draft.ledger_account, 10_000)
    await world.ctx.sql`update campaign_escrow set code_proven_at = null`
    await world.ctx.sql`analyze escrow_event`
    const plans: PlanNode[] = []
    const ctx = { ...world.ctx, sql: explaining(world.ctx.pool, plans) }
    expect(await listUnprovenEscrows(ctx, CHAIN_ID, 1)).toEqual([])
    expect(await listDueEvents(ctx, CHAIN_ID, 1)).toEqual([])
    expect(plans).toHaveLength(2)
    const scans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'escrow_event')
    expect(scans.reduce((sum, node) => sum + rowsRead(node), 0)).toBe(0)
  })

  test('can be deleted', async () => {
    const { world, ask } = await createDraft()
    expect((await ask('DELETE')).status).toBe(204)
    expect(await world.ctx.sql`select from campaign_escrow`).toHaveLength(0)
  })
})
